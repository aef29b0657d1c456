"""Kafka in front of the log: settings, and the ingest daemon (`README.md` of the folder above)."""

from events.ingest.kafka.settings import CONFIG_VARIABLE, NAMES, PREFIX, Settings, address_of, read_settings

__all__ = ["CONFIG_VARIABLE", "NAMES", "PREFIX", "Settings", "address_of", "read_settings"]
