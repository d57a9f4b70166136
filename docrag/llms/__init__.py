"""Language models behind HTTP servers, and how their streams are read."""
