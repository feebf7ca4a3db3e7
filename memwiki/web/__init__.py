"""The page in a browser: a workspace read, searched, reviewed and edited; needs the extra `web`."""
