"""Verbs that give files other places or none, and keep every link true."""
