"""Doors: how agents and other programs meet a workspace; they decide nothing about content."""
