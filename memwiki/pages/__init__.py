"""Editing verbs on pages: each reads what is there and gives a plan."""
