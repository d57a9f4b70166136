"""Contract tests and fakes for those who write plugins."""
