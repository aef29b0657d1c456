"""Events of all poker games (prefix PK): hold'em, Omaha, stud.

One fact is one record: a word and a push of chips are two records with two times, a whole action that a hand history
tells without either is one `ActionTaken`. What the rules make of it (a string bet, an action out of turn, a card
exposed too early) is judged, never recorded here. Chips come into the pot by the events below that state `MOVES`;
they leave it by the common `ChipsMoved`: pot → seat/<n> (`return`, `award`), pot → rake (`rake`), each with
`stake="seat/<n>"`, the seat whose hand it settles (a rake may name the pot: `stake="main"`, `"side 1"`).
"""

from __future__ import annotations

from typing import Annotated, ClassVar, Literal, get_args

from msgspec import Meta

from events.schema.event import Amount, Card, Count, Event, Move, Name, Private, Seat, Text
from games.shared.poker.conduct import ConductReported, ObjectionRaised, PenaltyEnded, PenaltyGiven

LAST_PLACE = 416  # eight decks
Seq = Annotated[int, Meta(ge=1, le=LAST_PLACE)]
"""A card's place off the deck: 1 is the first card dealt after the shuffle and cut."""

Where = Annotated[
    str, Meta(pattern=r"^(seat/[1-9][0-9]?|flop|turn|river|burn|rabbit|top|stub|aside|muck|floor|box|board)$")
]
"""Where a card lies: before a player, on the board, burnt, on top of the stub, in it, set aside, mucked, lost."""

_OPEN: dict[str, tuple[object, ...]] = {"face": ("up",), "to": ("flop", "turn", "river", "rabbit", "board")}
"""What shows a card to the whole table: it lies face up, or it lies where all cards do."""

Betting = Literal["no_limit", "pot_limit", "fixed_limit"]
Board = Literal["flop", "turn", "river"]
Face = Literal["down", "up"]
Who = Literal["dealer", "player", "floor", "machine"]

PostKind = Literal[
    "small_blind", "big_blind", "straddle", "bring_in",
    "missed_big_blind",  # live: a returning or new player's big blind out of his turn
    "extra_blind",  # live: any other post that counts towards the bet
    "dead_small_blind", "dead_big_blind",  # dead: in the pot, not towards the bet
    "ante", "big_blind_ante", "button_ante",  # dead
]  # fmt: skip

POST_KINDS: dict[str, PostKind] = {kind: kind for kind in get_args(PostKind)}
"""The kinds of posts by their words; a due that is none of them is no post."""

LIVE_POSTS: frozenset[str] = frozenset(
    {"small_blind", "big_blind", "straddle", "bring_in", "missed_big_blind", "extra_blind"}
)
"""Posts that count towards the bet; all others are dead money."""


# --- before the hand: stakes, button, seats ---


class StakesAnnounced(Event, frozen=True):
    """What is played from the next hand on: blinds, antes, structure; minor units.

    `ante`: from each player, or from the one that `ante_by` names. `small_bet`, `big_bet`: the sizes of fixed limit.
    `line`: the table has a line that binds what crosses it. `antes`: by seat number, where they are not all the same.
    """

    TOPIC: ClassVar[str] = "PK.StakesAnnounced.v1"
    small_blind: Amount
    big_blind: Amount
    betting: Betting = "no_limit"
    ante: Amount = 0
    ante_by: Literal["each", "big_blind", "button"] = "each"
    bring_in: Amount = 0
    small_bet: Amount | None = None
    big_bet: Amount | None = None
    variant: Name | None = None
    line: bool = False
    antes: dict[str, Amount] = {}


class ButtonCardDrawn(Event, frozen=True):
    """The card that a seat got face up in the draw for the button."""

    TOPIC: ClassVar[str] = "PK.ButtonCardDrawn.v1"
    seat: Seat
    card: Card


class ButtonPlaced(Event, frozen=True):
    """Where the button lies for this hand; `why` if it moved otherwise than usual.

    `small_blind`, `big_blind`: the seats due for the blinds where the record names them (either may be empty).
    """

    TOPIC: ClassVar[str] = "PK.ButtonPlaced.v1"
    seat: Seat
    small_blind: Seat | None = None
    big_blind: Seat | None = None
    why: Text = ""


class PlayerDealtIn(Event, frozen=True):
    """A player takes part in this hand with `stack` before him, posts not yet taken (None: not known).

    `status` how he comes to it; `missed`: the blinds that passed him while he was away, where the record says so.
    """

    TOPIC: ClassVar[str] = "PK.PlayerDealtIn.v1"
    seat: Seat
    player: Name
    stack: Amount | None
    status: Literal["in", "new", "returning", "moved", "absent"] = "in"
    missed: tuple[Literal["small_blind", "big_blind"], ...] = ()


class LineUp(Event, frozen=True):
    """All players of this hand in one record, as a hand history's head names them; read side by side.

    `stacks`: before any post, None where not known. `button`, `small_blind`, `big_blind`: seats, if the head has them.
    """

    TOPIC: ClassVar[str] = "PK.LineUp.v1"
    seats: tuple[Seat, ...]
    players: tuple[Name, ...]
    stacks: tuple[Amount | None, ...]
    button: Seat | None = None
    small_blind: Seat | None = None
    big_blind: Seat | None = None


class PlayerWentAway(Event, frozen=True):
    """A player is not dealt in from now on; his chips stay at the seat."""

    TOPIC: ClassVar[str] = "PK.PlayerWentAway.v1"
    seat: Seat
    player: Name
    why: Text = ""


class PlayerCameBack(Event, frozen=True):
    """He plays again; `choice`: posts now or waits for the big blind."""

    TOPIC: ClassVar[str] = "PK.PlayerCameBack.v1"
    seat: Seat
    player: Name
    choice: Literal["post", "wait"] | None = None


class SeatChanged(Event, frozen=True):
    """A player moved to another seat of this table; the chips move by `ChipsMoved` (seat_change)."""

    TOPIC: ClassVar[str] = "PK.SeatChanged.v1"
    player: Name
    frm: Seat
    to: Seat
    why: Literal["own_wish", "table_broken", "manager"] = "own_wish"


class StackCounted(Event, frozen=True):
    """What lies before a seat, counted: after the hand, or when somebody asks."""

    TOPIC: ClassVar[str] = "PK.StackCounted.v1"
    seat: Seat
    amount: Amount
    by: Name | None = None


class TopUpAnnounced(Event, frozen=True):
    """Chips bought and announced, not yet delivered (the delivery is `BuyIn` and `ChipsMoved` to the seat).

    It may be announced at any time and changes no stack: chips play once they lie there when a hand begins.
    """

    TOPIC: ClassVar[str] = "PK.TopUpAnnounced.v1"
    seat: Seat
    player: Name
    amount: Amount


class Posted(Event, frozen=True):
    """A forced or voluntary post goes into the pot."""

    TOPIC: ClassVar[str] = "PK.Posted.v1"
    MOVES: ClassVar[tuple[Move, ...]] = (Move("seat/{seat}", "pot", "amount", "stake", "seat/{seat}"),)
    seat: Seat
    kind: PostKind
    amount: Amount


# --- cards ---


class CardDealt(Event, frozen=True):
    """One card off the deck. `purpose`: `replacement` of an exposed card; `extra` if dealt as one too many.

    `board` counts the boards of a hand run more than once. `boxed`: it lay face up in the deck. A burn is the common
    `CardBurned`; a record that has no such event may deal to `burn`.
    """

    TOPIC: ClassVar[str] = "PK.CardDealt.v1"
    PRIVATE: ClassVar[tuple[Private, ...]] = (Private("card", "{to}", _OPEN | {"boxed": (True,)}, fresh=True),)
    to: Where
    card: Card = "??"
    seq: Seq | None = None
    face: Face = "down"
    purpose: Literal["", "extra", "replacement"] = ""
    board: Annotated[int, Meta(ge=1, le=4)] = 1
    boxed: bool = False
    back: Name | None = None


class HoleDealt(Event, frozen=True):
    """A player's cards of one street at once, as hand histories tell it; `??` for each that is not known."""

    TOPIC: ClassVar[str] = "PK.HoleDealt.v1"
    PRIVATE: ClassVar[tuple[Private, ...]] = (Private("cards", "seat/{seat}", {"face": ("up",)}, fresh=True),)
    seat: Seat
    cards: tuple[Card, ...]
    face: Face = "down"


class HandsDealt(Event, frozen=True):
    """A whole deal in one record: `cards` in order off the deck, one at a time to each of `seats`, round and round."""

    TOPIC: ClassVar[str] = "PK.HandsDealt.v1"
    PRIVATE: ClassVar[tuple[Private, ...]] = (Private("cards", "seat/{seats}", fresh=True),)
    seats: tuple[Seat, ...]
    cards: tuple[Card, ...]


class BoardDealt(Event, frozen=True):
    """The cards of one street laid on the board at once."""

    TOPIC: ClassVar[str] = "PK.BoardDealt.v1"
    street: Board
    cards: tuple[Card, ...]
    board: Annotated[int, Meta(ge=1, le=4)] = 1
    rabbit: bool = False


class CardExposed(Event, frozen=True):
    """A card became visible that should not be: a player's (`seat/3`), or one of board, burn, stub, muck.

    `by` whom, `deliberate` if somebody could tell. `cards` as far as seen.
    """

    TOPIC: ClassVar[str] = "PK.CardExposed.v1"
    where: Where
    by: Who
    cards: tuple[Card, ...] = ()
    seqs: tuple[Seq, ...] = ()
    deliberate: bool | None = None


class CardsMoved(Event, frozen=True):
    """Cards already dealt are put elsewhere: back on `top`, into the `stub`, `aside`, to `burn`, on the board, …

    `identified`: it is certain which cards they are (an extra card among a player's own).
    """

    TOPIC: ClassVar[str] = "PK.CardsMoved.v1"
    PRIVATE: ClassVar[tuple[Private, ...]] = (Private("cards", "{frm}", _OPEN),)
    to: Where
    seqs: tuple[Seq, ...] = ()
    cards: tuple[Card, ...] = ()
    frm: Where | None = None
    face: Face = "down"
    by: Name | None = None
    identified: bool | None = None


class StubShuffled(Event, frozen=True):
    """The stub was shuffled; `seqs`: cards that went into it before. `order`: its new order by `seq`, if known."""

    TOPIC: ClassVar[str] = "PK.StubShuffled.v1"
    seqs: tuple[Seq, ...] = ()
    order: tuple[Seq, ...] = ()
    by: Name | None = None


class CardsScrambled(Event, frozen=True):
    """Some cards were mixed face down on the table (`witnesses`: floorman, management)."""

    TOPIC: ClassVar[str] = "PK.CardsScrambled.v1"
    seqs: tuple[Seq, ...]
    face: Face = "down"
    by: Name | None = None
    witnesses: tuple[Name, ...] = ()


class CardPicked(Event, frozen=True):
    """Somebody picked one of the scrambled cards, `to` be the burn."""

    TOPIC: ClassVar[str] = "PK.CardPicked.v1"
    PRIVATE: ClassVar[tuple[Private, ...]] = (Private("card", "{to}", _OPEN),)
    to: Where
    role: Literal["dealer", "floorman", "management", "player"]
    seq: Seq | None = None
    card: Card = "??"
    face: Face = "down"
    by: Name | None = None


class CardFound(Event, frozen=True):
    """Something is wrong with a card, or it lies where none should: `where`, what (`fault`), and who saw it."""

    TOPIC: ClassVar[str] = "PK.CardFound.v1"
    where: Where
    fault: Literal["duplicate", "foreign", "joker", "boxed", "missing", "surplus", "off_table"]
    card: Card = "??"
    by: Name | None = None


class CutAsked(Event, frozen=True):
    """A player asks for a cut."""

    TOPIC: ClassVar[str] = "PK.CutAsked.v1"
    seat: Seat


class MisdealDeclared(Event, frozen=True):
    """The deal is called off: cards come back, are shuffled and dealt again in the same hand."""

    TOPIC: ClassVar[str] = "PK.MisdealDeclared.v1"
    why: Text = ""
    by: Name | None = None


# --- acting: words, chips, gestures, or the whole at once ---


class WordsSpoken(Event, frozen=True):
    """What a player said at his turn or before it; the envelope's time is when he said it.

    `word` normalised (`amount`: a number alone); `amount` as named, minor units; `measure`: raise `to` or `by` it.
    `language` by ISO 639-1, empty: an official one of the table (in hold'em those are `cs` and `en`).
    """

    TOPIC: ClassVar[str] = "PK.WordsSpoken.v1"
    seat: Seat
    word: Literal["check", "bet", "call", "raise", "complete", "fold", "all_in", "amount", "straddle", "time"]
    amount: Amount | None = None
    measure: Literal["", "to", "by"] = ""
    language: Annotated[str, Meta(pattern="^([a-z]{2}|)$")] = ""
    text: Text = ""


class ChipsPushed(Event, frozen=True):
    """One motion of chips towards the pot; the envelope's time is their first contact with the betting area.

    `chips`: the value of each chip pushed, minor units (empty: nobody counted them). `over_line`: past the line.
    """

    TOPIC: ClassVar[str] = "PK.ChipsPushed.v1"
    MOVES: ClassVar[tuple[Move, ...]] = (Move("seat/{seat}", "pot", "amount", "stake", "seat/{seat}"),)
    seat: Seat
    amount: Amount
    chips: tuple[Amount, ...] = ()
    over_line: bool | None = None


class GestureMade(Event, frozen=True):
    """A gesture with a meaning: tapping the table, a wave, cards pushed forward (`over_line`)."""

    TOPIC: ClassVar[str] = "PK.GestureMade.v1"
    seat: Seat
    gesture: Literal["tap", "wave", "cards_forward", "raise_hand"]
    over_line: bool | None = None


class ActionTaken(Event, frozen=True):
    """A whole action as the dealer took it or a hand history tells it, when words and chips are not told apart.

    `amount`: chips put in by it, minor units; they move. `to`: what then lies in front of the seat in this round,
    where the record says so. `all_in` as said: the stack tells it too.
    """

    TOPIC: ClassVar[str] = "PK.ActionTaken.v1"
    MOVES: ClassVar[tuple[Move, ...]] = (Move("seat/{seat}", "pot", "amount", "stake", "seat/{seat}"),)
    seat: Seat
    action: Literal["fold", "check", "call", "bet", "raise", "complete", "all_in"]
    amount: Amount = 0
    to: Amount | None = None
    all_in: bool = False


class BetAnnounced(Event, frozen=True):
    """The dealer says aloud what there is to call, or the size of the pot."""

    TOPIC: ClassVar[str] = "PK.BetAnnounced.v1"
    amount: Amount
    what: Literal["to_call", "pot"] = "to_call"
    by: Name | None = None


class DealerPrompted(Event, frozen=True):
    """The dealer says whose turn it is, or asks a player to act."""

    TOPIC: ClassVar[str] = "PK.DealerPrompted.v1"
    seat: Seat
    by: Name | None = None


class PlayStopped(Event, frozen=True):
    """The dealer stops the action because something is wrong."""

    TOPIC: ClassVar[str] = "PK.PlayStopped.v1"
    why: Text = ""
    by: Name | None = None


class ClockCalled(Event, frozen=True):
    """Somebody asks that a player's time be limited; `granted` by the dealer, `seconds` given."""

    TOPIC: ClassVar[str] = "PK.ClockCalled.v1"
    seat: Seat
    by: Name | None = None
    granted: bool | None = None
    seconds: Count | None = None


class ClockExpired(Event, frozen=True):
    """The time given to a player is over."""

    TOPIC: ClassVar[str] = "PK.ClockExpired.v1"
    seat: Seat


# --- the end of a hand ---


class HandShown(Event, frozen=True):
    """A player turns cards up at or after the showdown: those named, all of his if all are named."""

    TOPIC: ClassVar[str] = "PK.HandShown.v1"
    seat: Seat
    cards: tuple[Card, ...]


class HandMucked(Event, frozen=True):
    """A player gives his cards away unseen at the showdown; `cards` where the record knows them."""

    TOPIC: ClassVar[str] = "PK.HandMucked.v1"
    PRIVATE: ClassVar[tuple[Private, ...]] = (Private("cards", "seat/{seat}"),)
    seat: Seat
    cards: tuple[Card, ...] = ()


class HandKilled(Event, frozen=True):
    """Staff takes a hand away or declares it dead; `tabled`: it lay face up on the table."""

    TOPIC: ClassVar[str] = "PK.HandKilled.v1"
    seat: Seat
    by: Who = "dealer"
    tabled: bool | None = None
    why: Text = ""


class HandAnnounced(Event, frozen=True):
    """A player names his hand."""

    TOPIC: ClassVar[str] = "PK.HandAnnounced.v1"
    seat: Seat
    hand: Text


class WinnerAnnounced(Event, frozen=True):
    """The dealer says who wins (a pot, where there are several)."""

    TOPIC: ClassVar[str] = "PK.WinnerAnnounced.v1"
    seats: tuple[Seat, ...]
    pot: Name | None = None
    by: Name | None = None


class AgreementMade(Event, frozen=True):
    """Players agree on something during a hand: run the board several times (`runs`), share the pot, insure, …"""

    TOPIC: ClassVar[str] = "PK.AgreementMade.v1"
    what: Literal["run_it", "share_pot", "insurance", "check_down", "side_bet", "other"]
    seats: tuple[Seat, ...]
    runs: Annotated[int, Meta(ge=1, le=4)] = 1
    text: Text = ""


class HandCashedOut(Event, frozen=True):
    """A site bought a player's hand before the end: he gets `amount`, what the hand wins goes to the float."""

    TOPIC: ClassVar[str] = "PK.HandCashedOut.v1"
    MOVES: ClassVar[tuple[Move, ...]] = (Move("float", "seat/{seat}", "amount", "exchange", "seat/{seat}"),)
    seat: Seat
    amount: Amount
    fee: Amount = 0


POKER_EVENTS: tuple[type[Event], ...] = (
    StakesAnnounced, ButtonCardDrawn, ButtonPlaced, PlayerDealtIn, LineUp, PlayerWentAway, PlayerCameBack, SeatChanged,
    StackCounted, TopUpAnnounced, Posted, CardDealt, HoleDealt, HandsDealt, BoardDealt, CardExposed, CardsMoved,
    StubShuffled, CardsScrambled, CardPicked, CardFound, CutAsked, MisdealDeclared, WordsSpoken, ChipsPushed,
    GestureMade, ActionTaken, BetAnnounced, DealerPrompted, PlayStopped, ClockCalled, ClockExpired, HandShown,
    HandMucked, HandKilled, HandAnnounced, WinnerAnnounced, AgreementMade, HandCashedOut, ObjectionRaised,
    ConductReported, PenaltyGiven, PenaltyEnded,
)  # fmt: skip
"""All of them; every poker room lists them among its events."""
