"""The commands that change pages."""
