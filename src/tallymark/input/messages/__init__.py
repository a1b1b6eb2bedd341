"""Messages as values: a code with fields, from which the sentence is made for display."""
