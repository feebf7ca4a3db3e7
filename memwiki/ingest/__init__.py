"""Sources from elsewhere: kept as they came, with their text beside them and a page about each."""
