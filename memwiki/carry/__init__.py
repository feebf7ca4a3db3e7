"""Carrying a workspace elsewhere and taking in what was kept elsewhere."""
