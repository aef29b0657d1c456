"""What is out of order in a player's action, noted while a hand is folded; checks say which rule that is.

Places are seat numbers here, not positions: who is dealt in late moves positions. Amounts are minor units.
"""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from events.schema.fact import Fact
from games.shared.poker.betting import Bets
from games.shared.poker.reading import Said

Outcome = Literal["", "stands", "returned", "call", "forfeit", "corrected"]
"""What became of it: it waits; it counts as it was made; chips back and all options open; cut down to a call; chips
stay and he may not raise any more; put right at the table."""

Why = Literal["", "unchanged", "changed", "doubled", "fold", "no_action", "no_turn", "taken_back"]
"""Why an action out of turn is worth that: nobody changed the bet before his turn, or somebody did; he had put in more
than double what it was then; a fold binds whenever it comes; a check facing a bet is no action; his turn never came;
his chips went back before it."""

OutOfTurn = Literal["binding_if_unchanged", "by_price", "as_taken"]
"""What an action out of turn is worth: NL-A13; poker-room.md 3.13; whatever was taken (a site's record of a hand)."""


CUT_DOWN = frozenset({
    "word_late", "string_bet", "below_half", "other_language", "not_reopened", "raise_cap", "exposed", "forfeit",
    "one_chip_raise_undone", "raise_undone",
})  # fmt: skip
"""A bet or raise, as its player meant it, that counts for no more than a call or check."""


class Irregular(Struct, frozen=True, gc=False, kw_only=True):
    """One action, word or push that is not as the rules want it.

    `code` says why; `action`, `total`, `add`, `returned` what it counts for or, of a `whole` action, should have been
    (that one, which a site tells, counts as it was taken). `actor`: the seat on turn, 0 if nobody was. `acts`: actions
    of the hand once it counts, by which one sees whether somebody acted since. `other`: the smallest raise by the last
    increment, where that would read it otherwise (NL-A6); 0 if not. `word`: the word to the chips, whose time against
    theirs decides (NL-26), or which is in another language (NL-34). `why`: of an action out of turn; `by`, `bet`:
    whose bet there was to match when his turn came (a seat, 0 if nobody's), and how much.
    """

    code: str
    seat: int
    fact: Fact
    street: int
    action: str = ""
    total: int = 0
    add: int = 0
    returned: int = 0
    actor: int = 0
    acts: int = 0
    whole: bool = False
    other: int = 0
    outcome: Outcome = ""
    word: Fact | None = None
    why: Why = ""
    by: int = 0
    bet: int = 0


class Early(Struct, frozen=True, gc=False, kw_only=True):
    """An action out of turn that waits for its turn: a word, chips (they lie in `Hand.apart`), or a whole action.

    `seen`: the bet to match as he saw it, with what others before him put out of turn. `total`: what he then would have
    in front of him. `first`: nobody was out of turn before him.
    """

    seat: int
    seen: int
    total: int
    first: bool
    fact: Fact
    said: Said | None = None
    chips: tuple[int, ...] = ()
    amount: int = 0
    whole: str = ""


class HandedBack(Struct, frozen=True, gc=False):
    """Chips of the last action, a raise by the rules, that the table gave back as if it had been a call: who raised (a
    position), the betting `before` he did, what went back, the number of his action, and both records."""

    place: int
    before: Bets
    back: int
    acts: int
    raised: Fact
    returned: Fact


class Clock(Struct, frozen=True, gc=False):
    """The time given to the player on turn: until `until_ms`, that moment included."""

    seat: int
    until_ms: int


def worth(early: Early, to_match: int, way: OutOfTurn) -> Outcome:
    """What an action out of turn is worth when its turn has come and `to_match` is the bet.

    `binding_if_unchanged`: it stands if nobody in between changed the bet, else he acts anew (NL-A13). `by_price`, the
    table of poker-room.md 3.13 (VG-BOT, VG-ROT): a bet changed in between returns what followers put in; the first one
    loses his raise and may only call, or is cut down to a call if he had raised to no more than double.
    """
    if early.seen == to_match:
        return "stands"
    if way == "binding_if_unchanged" or not early.first:
        return "returned"
    if early.total <= early.seen or early.total < to_match:
        return "forfeit"
    return "stands" if early.total > 2 * to_match else "call"
