"""Pictures of curves."""
