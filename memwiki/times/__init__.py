"""Times in words, English and Chinese, and the days that they mean; pure."""
