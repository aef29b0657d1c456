"""Where a batch came from, and lines that were too long to be held."""

from __future__ import annotations

import os
import pwd
from collections.abc import Sequence
from typing import Literal

import msgspec
from msgspec import Struct


class Partition(Struct, frozen=True, gc=False):
    """A Kafka partition by cluster id and topic id (a topic made again under its name starts at 0), and the offset
    that follows the batch."""

    cluster: str
    topic: str
    partition: int
    next_offset: int


class Origin(Struct, frozen=True, gc=False, omit_defaults=True):
    """Where the records of one batch came from; kept in the batch's tile.

    `name`: path, `-` for standard input, or topic. `sha256`: of the whole file, hexadecimal, where it could be read
    before. `lines`: number of each record's line, counted from 1 (of Kafka its offset), in the batch's order.
    `account`: who ran it. `parts`: each record's Kafka partition, partitions one after another.
    """

    kind: Literal["file", "stdin", "kafka", "import", "recoup"]
    name: str = ""
    sha256: str = ""
    lines: Sequence[int] = ()
    account: str = ""
    partitions: tuple[Partition, ...] = ()
    parts: Sequence[int] = ()

    def text(self) -> str:
        """As the tile holds it: JSON, lines as first and last; of Kafka partition, first and last offset of each."""
        plain: dict[str, object] = {"kind": self.kind}
        if self.name:
            plain["name"] = self.name
        if self.sha256:
            plain["sha256"] = self.sha256
        if self.parts:
            spans: dict[int, list[int]] = {}
            for part, offset in zip(self.parts, self.lines, strict=True):
                spans.setdefault(part, [part, offset, offset])[2] = offset
            plain["offsets"] = list(spans.values())
        elif self.lines:
            plain["lines"] = [self.lines[0], self.lines[-1]]
        if self.partitions:
            plain["partitions"] = [
                [part.cluster, part.topic, part.partition, part.next_offset] for part in self.partitions
            ]
        return msgspec.json.encode(plain).decode()

    def where(self, arrival: int) -> str:
        """For people: file and line (partition and offset) of the record at `arrival` in the batch."""
        if arrival < len(self.parts):
            return f"{self.name}[{self.parts[arrival]}]:{self.lines[arrival]}"
        if arrival < len(self.lines):
            return f"{self.name or self.kind}:{self.lines[arrival]}"
        return self.name or self.kind


class Oversized(Struct, frozen=True, gc=False):
    """A line longer than is held: its beginning, the SHA-256 of all of it, and its length in bytes."""

    head: bytes
    sha256: bytes
    length: int


OURS = Origin(kind="recoup")
"""What Recoup itself authors."""


def account() -> str:
    """The operating-system account that runs this process."""
    uid = os.geteuid()
    try:
        return pwd.getpwuid(uid).pw_name
    except KeyError:
        return f"uid-{uid}"
