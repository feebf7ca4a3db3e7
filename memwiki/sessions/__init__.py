"""Sessions: messages added, what leaves for the archive, and what comes from other programs."""

SUMMARY = "Summary"  # the heading of what a session was about
