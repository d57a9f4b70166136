"""From a file to searchable chunks: detect, load, chunk, embed, index."""
