"""What the log says to others: stored events of some types, sent to their Kafka topics (`README.md`)."""

from events.outbox.messages import Message
from events.outbox.page import Page, read_page
from events.outbox.position import read_positions, record_positions
from events.outbox.publisher import Publisher
from events.outbox.routes import DEFAULT_TYPES, read_routes
from events.outbox.sender import Cut, NotTaken, Sender
from events.outbox.watch import Watch

__all__ = [
    "DEFAULT_TYPES",
    "Cut",
    "Message",
    "NotTaken",
    "Page",
    "Publisher",
    "Sender",
    "Watch",
    "read_page",
    "read_positions",
    "read_routes",
    "record_positions",
]
