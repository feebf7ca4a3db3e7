"""The nine tools of the reference memory server, served from a workspace."""
