"""What every server over HTTP of ours has: where it listens, for whom, and what it refuses."""
