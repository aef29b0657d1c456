"""The breaches that the scripted dealer commits when asked, by rule id and moment.

A misdeed looks whether it can be committed here; if so it does it, tells the play, and returns True: the regular step
is then left out. The hand goes on by the rules.
"""

from __future__ import annotations

from games.holdem.misdeeds.acting import AT_ACTION as AT_ACTING
from games.holdem.misdeeds.conduct import AT_CONDUCT, royal_flush_on_the_button
from games.holdem.misdeeds.dealing import AT_BOARD, AT_DEALING, BEFORE_ACTING
from games.holdem.misdeeds.dealing import RIGGED as RIGGED_BOARDS
from games.holdem.misdeeds.paying import AT_PAYING, at_paying
from games.holdem.misdeeds.seating import AT_BUTTON, AT_POSTING, BEFORE_THE_HAND, IN_HAND
from games.holdem.misdeeds.showing import AT_SHOWING

__all__ = [
    "ALL", "AT_ACTION", "AT_BOARD", "AT_BUTTON", "AT_DEALING", "AT_PAYING", "AT_POSTING", "AT_SHOWING",
    "BEFORE_THE_HAND", "RIGGED", "at_paying",
]  # fmt: skip

AT_ACTION = {**AT_ACTING, **AT_CONDUCT, **IN_HAND, **BEFORE_ACTING}
RIGGED = {**RIGGED_BOARDS, "NL-40": royal_flush_on_the_button}

ALL: frozenset[str] = frozenset().union(AT_BUTTON, AT_POSTING, AT_DEALING, AT_BOARD, AT_ACTION, AT_SHOWING, AT_PAYING)
"""Every rule that this dealer can break."""
