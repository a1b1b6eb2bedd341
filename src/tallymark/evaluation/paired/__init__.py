"""Models on the same cases: the evidence on the difference of any measure."""
