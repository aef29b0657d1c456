"""A case file a rule: hands and spins that keep it, break it, and just touch it."""
