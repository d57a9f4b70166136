"""Who calls: secrets, passwords and the credentials of a request."""
