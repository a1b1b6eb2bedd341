"""Results as text, pages and files: `documents` make a `Document` of each, which `output` draws."""
