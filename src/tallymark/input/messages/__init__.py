"""Facts as values: a code and fields, of which a sentence is made last."""
