"""Keeping memories: what repeats is joined, what nobody needs retires; each a capped plan."""
