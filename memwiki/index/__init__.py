"""Derived stores: the keyword index, the cards and the graph."""
