"""The leak test of a deployed server: throw-away people and documents, a walk over all routes."""
