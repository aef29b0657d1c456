"""What several rooms need; it imports no room."""
