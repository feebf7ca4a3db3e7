"""What facts say of one another: the same, near, in conflict, one entity; pure."""
