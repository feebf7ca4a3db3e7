"""What programs of coding agents have of memwiki in files of their own; all of it plans."""
