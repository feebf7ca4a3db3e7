"""The index of many workspaces on a server."""
