"""Verbs on text files below one folder, pages or not, which keep every byte as it is."""
