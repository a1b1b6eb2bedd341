"""A result in the formats of other programs; each file of this folder has `as_text(result)`."""
