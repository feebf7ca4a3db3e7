"""What is wrong with the content of a workspace: rules in families, what they found, safe fixes."""
