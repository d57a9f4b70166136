"""What a question or a passage holds that should not act or be kept: attacks, personal data."""
