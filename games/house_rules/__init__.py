"""Editions, parameters, citations, and the rule books whose checks report findings."""
