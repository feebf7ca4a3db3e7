"""Neighbours: their formats, frameworks and protocols; each folder can go without a trace."""
