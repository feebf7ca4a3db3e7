"""Conversations as other programs export them, each format in a file of its own; pure."""
