"""Rules that need one page alone; what they find is kept until the page changes."""
