"""Keeping an index up to date while files are edited: hearing of changes, and when to look."""
