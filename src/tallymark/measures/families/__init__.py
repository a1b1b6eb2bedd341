"""The measures, one file per family."""
