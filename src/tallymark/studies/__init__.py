"""More than one evaluation: models compared, the release gate, planning, refitted models."""
