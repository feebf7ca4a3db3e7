"""Vectors of what units say: a projection of the pages, and rows that outlive it."""
