"""From a question to a cited answer, or to an honest refusal."""
