"""How far each topic has been served, in the store beside the offsets of what comes in.

A row of `source_offsets` under the Kafka cluster's id and `outbox/<topic>`: the tree index of the next row. Like every
offset it never moves back, and it goes where the log goes (`recoup store copy`, backups).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from events.store import Log, Origin
from events.store.batch import Batch
from events.store.origin import Partition


def read_positions(log: Log, cluster: str, topics: Iterable[str]) -> dict[str, int]:
    """Topic → tree index of the first row that it has not been served; 0 for a topic that is new."""
    return {topic: log.next_offset(cluster, _name(topic), 0) or 0 for topic in topics}


def record_positions(log: Log, cluster: str, positions: Mapping[str, int]) -> None:
    """Topic → tree index of the first row that may not be acknowledged there.

    Raises:
        StoreBusy, Unable: the store cannot be written now.
    """
    partitions = tuple(Partition(cluster, _name(topic), 0, at) for topic, at in positions.items())
    log.recorder.transact(_nothing, Origin(kind="recoup", account=log.account, partitions=partitions))


def _name(topic: str) -> str:
    return f"outbox/{topic}"


def _nothing(_batch: Batch) -> None:
    """No row of the log tells of a position: it is bookkeeping."""
