"""What a model may write: typed operations with the lines they rest on, reviewed before they are
true."""
