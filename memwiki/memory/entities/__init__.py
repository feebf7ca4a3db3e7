"""Entities as entries name them: listed, compared and merged."""
