"""Times in words into dates, for English and Chinese; pure."""
