"""Changing the text of a page without touching a byte that nobody asked to change."""
