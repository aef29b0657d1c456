"""Breaches of conduct: penalties' grounds, soft play, talk, passed chips, expulsion (moment: action)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from events.schema.common import ChipsMoved
from games.holdem.chips import UNIT
from games.holdem.misdeeds.acting import seat_of
from games.holdem.misdeeds.moments import Misdeed
from games.holdem.payouts import best_of_all
from games.protocol import Expectation
from games.shared.poker.conduct import Conduct, ConductReported, PenaltyGiven
from games.shared.poker.events import ActionTaken
from games.shared.poker.softplay import owes_aggression

if TYPE_CHECKING:
    from games.holdem.dealer import Play


def _reports(what: Conduct, times: int = 1) -> Misdeed:
    """A report about the player on turn, said `times` times; the hand goes on."""

    def misdeed(play: Play, next_: Expectation) -> bool:
        seat, place = seat_of(play, next_)
        for _time in range(times):
            play.say(ConductReported(what, play.hand.players[place], seat=seat), 4)
        play.commit()
        return True

    return misdeed


def spare_the_others(play: Play, next_: Expectation) -> bool:
    """NL-40: last to act on the river with a hand that nobody can beat, and he only checks or calls."""
    hand, session = play.hand, play.session
    seat, place = seat_of(play, next_)
    if not owes_aggression(hand, session.limits[hand.street], session.terms, best_of_all):
        return False
    owes = hand.bets.to_match - hand.bets.front[place]
    play.say(ActionTaken(seat, "call" if owes else "check", owes), 3)
    play.commit()
    return True


def pass_chips(play: Play, next_: Expectation) -> bool:
    """NL-42: a chip slides to another player; it is put back."""
    hand = play.hand
    seat, place = seat_of(play, next_)
    others = [other for other in range(len(hand.seats)) if other != place and hand.stacks[other] > UNIT]
    if not others or hand.stacks[place] <= UNIT:
        return False
    taker = f"seat/{hand.seats[others[0]]}"
    play.say(ChipsMoved(f"seat/{seat}", taker, UNIT, "transfer"), 2)
    play.say(ChipsMoved(taker, f"seat/{seat}", UNIT, "correction"), 6)
    play.commit()
    return True


def keep_chips_of_the_expelled(play: Play, next_: Expectation) -> bool:
    """NL-43: a player is expelled, and a chip of his stack is kept."""
    hand = play.hand
    seat, place = seat_of(play, next_)
    if len(hand.seats) < 3 or not hand.live[place] or hand.stacks[place] <= UNIT or hand.pending is not None:
        return False
    player = hand.players[place]
    play.say(PenaltyGiven(player, "expulsion", seat=seat, role="management", why="insults"), 5)
    play.say(ChipsMoved(f"seat/{seat}", "float", UNIT, "transfer"), 5)
    play.commit()
    return True


def royal_flush_on_the_button(play: Play, players: int) -> None:
    """The last to act gets a hand that nobody can beat."""
    places = [players - 1, 2 * players - 1, *(2 * players + step for step in (1, 2, 3, 5, 7))]
    for place, card in zip(places, ("As", "Js", "Ks", "Qs", "Ts", "7d", "2c"), strict=True):
        other = play.deck.index(card)
        play.deck[place], play.deck[other] = play.deck[other], play.deck[place]


AT_CONDUCT: dict[str, Misdeed] = {
    "NL-39": _reports("insult"),
    "NL-40": spare_the_others,
    "NL-41": _reports("talk"),
    "NL-42": pass_chips,
    "NL-43": keep_chips_of_the_expelled,
    "NL-44": _reports("delay", 2),
    "NL-46": _reports("chips_hidden"),
}
