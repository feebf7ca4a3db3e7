"""The shared index: stores of many workspaces on a server, fed by one and read by all."""
