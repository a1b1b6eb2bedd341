"""A result in the formats of other programs.

Each file of this folder has `as_text(result)` or, where the format is binary, `as_bytes(result)`; and
`check_installed(role)` where it needs a library that may be lacking. `output` chooses them by the ending of a
file, by the `WRITERS` of the class of the result.
"""
