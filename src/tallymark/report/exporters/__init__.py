"""A result in the formats of other programs.

Each file of this folder has `as_text(result)` or, where the format is binary, `as_bytes(result)`; and
`check_installed(role)` where it needs a library that may be lacking. The classes of results name them by the
ending of a file, as `WRITERS`. `document` has the parts that formats for readers share.
"""
