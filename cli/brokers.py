"""Options of the commands that speak with Kafka, and the settings that they give."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from events.ingest.kafka.settings import Settings

Config = Annotated[
    str | None,
    typer.Option("--config", envvar="RECOUP_KAFKA_CONFIG", metavar="FILE", help="Settings of Kafka, in TOML."),
]
Servers = Annotated[str | None, typer.Option("--bootstrap-servers", metavar="HOST:PORT", help="Several after commas.")]
Topic = Annotated[str | None, typer.Option("--topic", metavar="TOPIC", help="As floor.events.")]


def settings_of(config: str | None, **given: str | None) -> Settings:
    """Defaults, the file, the environment, then the options that were given.

    Raises:
        Refused, Unable: as `read_settings`.
    """
    from events.ingest.kafka.settings import read_settings

    return read_settings(config, os.environ, given)
