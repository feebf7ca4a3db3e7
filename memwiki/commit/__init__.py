"""Carrying out what a room planned: apply it, then index and catalogs follow."""
