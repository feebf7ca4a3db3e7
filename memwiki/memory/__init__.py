"""Verbs and judgement on entries; every judgement is a pure policy that a model may replace."""
