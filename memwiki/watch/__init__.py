"""Keeping an index in step while people and programs edit: hearing of changes, and when to look."""
