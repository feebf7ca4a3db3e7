"""Rules that need the whole workspace, or the date; they run at every check, over cards and
facts."""
