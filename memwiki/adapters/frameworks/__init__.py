"""Integrations: a workspace as a part of frameworks for agents, one file a framework."""
