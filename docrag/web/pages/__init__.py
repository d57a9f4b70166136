"""Pages for people: sign in, keys, documents, and administration."""
