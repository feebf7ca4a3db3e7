"""A graph of entities, observations and relations as pages of the workspace, and back; pure."""
