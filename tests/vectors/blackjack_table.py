"""From the catalogue's words to a table's events: a lawful shoe, a round driven card by card, what a vector leaves out
added as the rules want it."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, Literal

from events.schema import common as tb
from events.schema.envelope import Envelope
from events.schema.event import Event
from events.schema.fact import Fact
from events.schema.ours import RulingApplied
from events.values.clock import parse_time
from games.blackjack import GAME
from games.blackjack import events as bj
from games.blackjack.hands import Play, Waits
from games.blackjack.legality import decider
from games.blackjack.payouts import Analysis, analyse
from games.blackjack.table import Session
from games.clocks import Clocks
from games.house_rules.edition import read_edition
from games.scribe import Scribe
from games.shared.bank import events as bg
from tests.vectors.bench import edition_with
from tests.vectors.reading import Vector

Given = Vector
EDITION = "live-games-plan.toml"
WIDE = 2**40
"""A maximum that no vector reaches."""

SUITS = {"clubs": "c", "diamonds": "d", "hearts": "h", "spades": "s"}


class Table:
    """One vector's session as its terminal would write it, folded as it goes."""

    def __init__(self, config: dict[str, Any], *, low: int = 1, high: int = WIDE, boxes: int = 7) -> None:
        self.toml = edition_with("blackjack", EDITION, config)
        self.edition = read_edition(self.toml, GAME.books[0].form)
        self.pen = Scribe("vectors/BJ1", "2026-11-28")
        self.start_ms = self.pen.at_ms
        self.envelopes: list[Envelope] = []
        self.rulings: list[RulingApplied] = []
        self.stakes = self.seq = 0
        self.suits: dict[str, int] = {}
        opened = tb.TableOpened("blackjack", "BJ", "CZK", min=low, max=high, seats=boxes)
        self.session: Session = GAME.open_table(self.edition, self._write(opened, 0), (), Clocks())
        self.say(tb.DealerSeated("s-1"))

    def say(self, event: Event, after_s: float = 1.0, *, at_s: float | None = None) -> None:
        """One record, a second after the one before; or at a time of its own."""
        if at_s is not None:
            self.pen.at_ms = self.start_ms + round((1000 + at_s) * 1000)
            after_s = 0
        self.session = GAME.evolve(self.session, self._write(event, after_s))

    def _write(self, event: Event, after_s: float) -> Fact:
        envelope = self.pen.say(event, after_s)
        self.envelopes.append(envelope)
        return Fact(
            subject=envelope.subject, source=envelope.source, sequence=int(envelope.sequence), topic=envelope.type,
            event=event, occurred_at=parse_time(envelope.time), round=envelope.round,
        )  # fmt: skip

    # The shoe

    def shoe(self, *, depth: int = 156, burned: int = 3, face_down: bool = True, cutter: str = "P1") -> None:
        """Six packs, shuffled, cut and loaded."""
        if not self.session.owners:
            self.say(bg.BoxTaken(1, cutter))
        self.seq = 0
        if not self.session.shoe.number:
            self.say(tb.DeckOpened("shoe", 6))
        for step in ("wash", "piles", "riffle"):
            self.say(tb.ShuffleStep(step, "shoe"))
        first = self.session.owners[min(self.session.owners)]
        self.say(bj.CutOffered(first, "shoe"))
        self.say(tb.CutMade("shoe", first, depth))
        self.say(bg.CutJoined("shoe"))
        self.say(bj.CardsCutOff(self.edition["blackjack.cut_off_cards"] or 60, "shoe"))
        self.say(bg.DeckLoaded("shoe"))
        self.burn(burned, "shuffle", face_down=face_down)

    def burn(self, count: int, why: str, *, face_down: bool = True) -> None:
        """Cards put aside."""
        for _ in range(count):
            self.seq += 1
            self.say(tb.CardBurned(seq=self.seq, why=why))
        if not face_down:
            self.say(bg.CardShown("burn"))

    def card(self, rank: str) -> str:
        """A card of that rank (`10` is a ten), of a suit that six packs still have; `K-spades` names both."""
        rank, _dash, suit = rank.partition("-")
        letter = "T" if rank == "10" else rank
        if suit:
            return f"{letter}{SUITS[suit]}"
        count = self.suits[letter] = self.suits.get(letter, -1) + 1
        return letter + "cdhs"[count % 4]

    # A round

    def open(self, name: str) -> None:
        """A round begins."""
        self.pen.round = name
        self.say(tb.RoundOpened())

    def own(self, box: int, player: str) -> None:
        """The box's owner, if nobody has it yet."""
        if box not in self.session.owners:
            self.say(bg.BoxTaken(box, player))

    def stake(self, box: int, player: str, amount: int, spot: str = "bet", hand: int = 1, **more: Any) -> str:
        """Chips on a spot."""
        self.stakes += 1
        name: str = more.pop("name", f"k{self.stakes}")
        at = more.pop("at_s", None)
        self.say(bg.StakePlaced(name, player, box, spot, amount, hand=hand, **more), at_s=at)
        return name

    def call(self) -> None:
        """No more bets."""
        self.say(tb.NoMoreBets())

    def lay(self, place: str, rank: str) -> str:
        """A card off the shoe, face up."""
        self.seq += 1
        card = self.card(rank)
        self.say(bg.CardLaid(place.removesuffix(".1"), card, "up", self.seq))
        return card

    def analysis(self) -> Analysis:
        """The round as it stands."""
        return analyse(self.session)

    @property
    def play(self) -> Play:
        """The play so far."""
        play = self.analysis().play
        assert play is not None
        return play

    @property
    def waits(self) -> Waits | None:
        """What comes next."""
        return self.play.waits

    def offer(self) -> None:
        """Even money to every box with blackjack against an ace."""
        play = self.play
        if play.upcard == "A" and play.dealt:
            for box, hands in play.hands.items():
                if hands[0].is_blackjack(after_split=False):
                    self.say(bj.EvenMoneyOffered(box))

    def decide(self, box: int, hand: int, choice: str, player: str | None = None) -> None:
        """A clear decision of who decides for the hand."""
        who = player
        if who is None:
            play, bets = self.play, self.analysis().bets
            assert bets is not None
            own = next(one for one in bets.boxes if one.number == box)
            who = decider(own, play.hands[box][hand - 1])
        self.say(bg.Decided(box, choice, who, hand, signal="gesture"))

    def extras(self, box: int, hand: int, choice: Literal["double", "split"], declined: Iterable[str]) -> None:
        """Everybody on the hand adds his stake once more, but for those who decline."""
        refuse = set(declined)
        own = self.play.hands[box][hand - 1]
        for player in own.playing:
            if player in refuse:
                self.say(bj.ExtraDeclined(box, player, choice, hand))
            else:
                self.stake(box, player, own.stake_of(player), choice, hand)

    def close(self) -> None:
        """The round is over."""
        self.say(tb.RoundClosed())
        self.pen.round = None

    def end(self) -> None:
        """The table closes."""
        self.pen.round = None
        self.say(tb.TableClosed())
        self.say(tb.SourceEnded())

    def play_out(
        self,
        draw: Callable[[str], str | None],
        choose: Callable[[Waits], None],
        dealt: Callable[[], None] = lambda: None,
    ) -> None:
        """Cards and decisions until nothing more is asked for, or no card is left; `dealt`: after the second cards."""
        offered = False
        while True:
            waits = self.waits
            if not offered and self.play.dealt:
                offered = True
                self.offer()
                dealt()
                continue
            if waits is None:
                return
            if not waits.place:
                choose(waits)
                continue
            rank = draw(waits.place)
            if rank is None:
                return
            self.lay(waits.place, rank)
