"""The play of a round by BJ-22: every card drawn goes to its rightful place, every decision to its hand.

The same play is gone through once with the cards in the order drawn, and once as they lie, where the two differ.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from events.schema.fact import Fact
from games.blackjack import events as bj
from games.blackjack.bets import EXTRAS, INSURANCE, Bets, Box, Cutoff, bets_of, void_mark
from games.blackjack.hands import EXPELLED, SURRENDER, AsLaid, Hand, InOrder, Issue, Play, Waits, draws_of
from games.blackjack.legality import (
    ACTS,
    DOUBLE,
    HIT,
    NOT_A_PAIR,
    SPLIT,
    STAND,
    WORDS,
    decider,
    is_blackjack,
    is_closed,
    may_surrender,
    no_double,
    no_split,
    paid_at_once,
)
from games.blackjack.requests import early_requests, first_act
from games.blackjack.rulings import ruled_on
from games.blackjack.table import Round, Session, hand_place
from games.blackjack.totals import TWENTY_ONE, dealer_stands, total
from games.shared.bank.deck import DEALER
from games.shared.bank.parts import Part, give_back, keep_up_to
from games.shared.bank.parts import total as at_risk
from games.shared.bank.table import Noted
from games.shared.marks import Mark, missing


def played(session: Session, round_: Round) -> Play:
    """The round as its cards were drawn."""
    return play(session, round_, bets_of(session, round_))


def play(session: Session, round_: Round, bets: Bets, *, as_laid: bool = False) -> Play:
    """The round as its cards were drawn, or `as_laid`."""
    draws = draws_of(round_, session.edition["blackjack.misdrawn_order"])
    return _Course(session, round_, bets, AsLaid(draws) if as_laid else InOrder(draws)).run()


class _Course:
    """One way through the round."""

    def __init__(self, session: Session, round_: Round, bets: Bets, cards: InOrder | AsLaid) -> None:
        self.session, self.round, self.cards = session, round_, cards
        self.house: Callable[[str], Any] = session.edition.__getitem__
        self.boxes = bets.boxes
        self.acts = {box.number: self._acts(box.number) for box in bets.boxes}
        self.at = dict.fromkeys(self.acts, 0)
        self.expelled = ruled_on(session, round_).counting
        spots: dict[str, list[Part]] = {INSURANCE: [], **{kind: [] for kind in EXTRAS}}
        cut, marks = Cutoff(session, round_), list[Mark]()
        first = first_act(round_, len(self.boxes))
        for stake in round_.stakes:
            if stake.spot in spots:
                acts = ([first] if first is not None else []) if stake.spot == INSURANCE else round_.draws
                spots[stake.spot].append(cut.later(stake, marks, acts))
        extras = [part for kind in EXTRAS for part in spots[kind]]
        self.unclaimed = [part for part in extras if part.open]
        hands = {box.number: [Hand.dealt(box.number, [part for part in box.bets if part.open])] for box in bets.boxes}
        self.play = Play(
            hands=hands, dealer=[], places=[], left=[], extras=extras, insurance=spots[INSURANCE],
            marks=marks, issues=[], ignored=[], guessed={}, unread=self._unread(),
        )  # fmt: skip

    def _acts(self, box: int) -> list[Noted]:
        return [
            note for note in self.round.decisions if note.event.box == box and note.event.choice in ACTS
        ]  # fmt: skip

    def _unread(self) -> frozenset[int]:
        """Boxes whose play rests on a word that is no decision; one said again before the next card is no matter."""
        notes, over = self.round.decisions, self.round.closed
        return frozenset(
            note.event.box for note in notes
            if note.event.choice not in WORDS and (over is None or note.order < over.order)
            and not any(self._said_again(note, other) for other in notes)
        )  # fmt: skip

    def _said_again(self, note: Noted, other: Noted) -> bool:
        same = (other.event.box, other.event.hand) == (note.event.box, note.event.hand)
        if not same or other.event.choice not in WORDS or other.order < note.order:
            return False
        return not any(note.order < card.order < other.order for card in self.round.draws)

    def run(self) -> Play:
        """The whole round, as far as the record goes."""
        if self._first_cards():
            self.play.dealt = bool(self.boxes)
            early_requests(self.session, self.round, self.boxes, self.play)
            if all(self._box(box) for box in self.boxes):
                self._dealer()
        else:
            early_requests(self.session, self.round, self.boxes, self.play)
        self.play.left = self.cards.unused()
        if self.play.waits is None or self.round.over:
            self._void_unclaimed()
        return self.play

    # Cards

    def _draw(self, place: str, to: list[Any]) -> bool:
        """A card to a place; False if the play waits for it."""
        card = self.cards.take(place)
        if card is not None:
            to.append(card)
            self.play.places.append((card, place))
        elif self.cards.strict:
            self.play.waits = Waits(place=place)
            return False
        return True

    def _to_hand(self, hand: Hand) -> bool:
        place = hand_place(hand.box, self.play.hands[hand.box].index(hand) + 1)
        before = len(hand.cards)
        went_on = self._draw(place, hand.cards)
        hand.starved = len(hand.cards) == before
        return went_on

    def _first_cards(self) -> bool:
        """One to each box, one to the dealer, a second to each box (BJ-22)."""
        if not self.boxes:
            return True
        firsts = [self.play.hands[box.number][0] for box in self.boxes]
        return (
            all(self._to_hand(hand) for hand in firsts)
            and self._draw(DEALER, self.play.dealer)
            and all(self._to_hand(hand) for hand in firsts)
        )

    def _dealer(self) -> None:
        """To 17 if a bet depends on it, the second card if only blackjack or insurance does (BJ-42, BJ-A37)."""
        out = self._expelled_by(self._next_card(DEALER)) if self.expelled else frozenset()
        dealer, whole, second = self.play.dealer, self._depends(out), self._awaits_second(out)
        self.play.needs_dealer = whole or second
        while whole and not dealer_stands(self.play.dealer_names):
            before = len(dealer)
            if not self._draw(DEALER, dealer):
                return
            if len(dealer) == before:
                break  # as laid, he has no more
        if second and len(dealer) == 1 and not self._draw(DEALER, dealer):
            return
        while (
            self.cards.strict and self.cards.next_at(DEALER) is not None and not dealer_stands(self.play.dealer_names)
        ):
            self._draw(DEALER, dealer)
        rest = self.cards.rest(DEALER)
        dealer += rest
        self.play.places += [(card, DEALER) for card in rest]

    def _depends(self, out: frozenset[str]) -> bool:
        """Whether a hand still in the round is compared with the dealer's; `out`: who was expelled."""
        naturals = self.house("blackjack.blackjack_beats_21") or paid_at_once(self.house, self.play.upcard)
        return any(
            (set(hand.playing) - out or hand.unpaid)
            and not hand.bust
            and not (naturals and is_blackjack(self.house, hand))
            for _box, _at, hand in self.play.all_hands()
        )

    def _awaits_second(self, out: frozenset[str]) -> bool:
        waiting = not paid_at_once(self.house, self.play.upcard) and any(
            set(hand.playing) - out and is_blackjack(self.house, hand) for _box, _at, hand in self.play.all_hands()
        )
        return waiting or any(part.open and part.stake.player not in out for part in self.play.insurance)

    # Decisions

    def _box(self, box: Box) -> bool:
        """All hands of a box, from the left; the play of one may add others on its right."""
        at = 0
        hands = self.play.hands[box.number]
        while at < len(hands):
            if not self._hand(box, at):
                return False
            rest = self.cards.rest(hand_place(box.number, at + 1))
            hands[at].cards += rest
            self.play.places += [(card, hand_place(box.number, at + 1)) for card in rest]
            at += 1
        left = self.acts[box.number][self.at[box.number] :]
        for note in left:
            self._without_hand(box, hands[-1], note)
        self.at[box.number] += len(left)
        return True

    def _hand(self, box: Box, at: int) -> bool:
        hand = self.play.hands[box.number][at]
        while True:
            if len(hand.cards) < 2 and not hand.starved:
                if not self._to_hand(hand):
                    return False
                continue
            note = self._next(box, at)
            if self.expelled and not self._is_closed(hand):
                self._expel(hand, note.fact if note is not None else self._next_card(hand_place(box.number, at + 1)))
            if self._is_closed(hand):
                if note is None:
                    return True
                self.at[box.number] += 1
                if not self._on_closed(box, at, hand, note):
                    return False
            elif note is None:
                guess = self._guess(box, at)
                if guess is None:
                    self.play.waits = Waits(box=box.number, hand=at + 1)
                    return False
                self.play.guessed[hand_place(box.number, at + 1)] = None
                if guess == STAND:
                    hand.stood = True
                elif not self._to_hand(hand):
                    return False
            else:
                self.at[box.number] += 1
                if not self._decided(box, at, hand, note):
                    return False

    def _next_card(self, place: str) -> Fact | None:
        card = self.cards.next_at(place)
        return card.fact if card is not None else None

    def _expelled_by(self, then: Fact | None) -> frozenset[str]:
        """Whom a ruling had put out of the round before something came; all, if nothing did (BJ-16)."""
        before = [one for one in self.expelled if then is None or one.fact.occurred_at < then.occurred_at]
        return frozenset().union(*(one.players for one in before))

    def _expel(self, hand: Hand, then: Fact | None) -> None:
        """Who was expelled before the hand went on has left it; another decides, or it closes (BJ-A35)."""
        out = self._expelled_by(then)
        hand.gone |= {player: EXPELLED for player in hand.playing if player in out}

    def _next(self, box: Box, at: int) -> Noted | None:
        """The next decision on record for this hand; one for a hand already played is for none."""
        acts = self.acts[box.number]
        while self.at[box.number] < len(acts):
            note = acts[self.at[box.number]]
            if note.event.hand > at:
                return note if note.event.hand == at + 1 else None
            self.at[box.number] += 1
            self._without_hand(box, self.play.hands[box.number][max(note.event.hand - 1, 0)], note)
        return None

    def _is_closed(self, hand: Hand) -> bool:
        return is_closed(self.house, hand, len(self.play.hands[hand.box]))

    def _no_split(self, hand: Hand) -> tuple[str, str] | None:
        return no_split(self.house, hand, len(self.play.hands[hand.box]))

    def _guess(self, box: Box, at: int) -> str | None:
        """What was decided though no record says so: a card that came to the hand was asked for, unless it is a split
        ace, to which a third one only goes by mistake (BJ-33)."""
        if self.cards.next_at(hand_place(box.number, at + 1)) is not None:
            return STAND if self.play.hands[box.number][at].ace else HIT
        # Who surrenders may say so before his turn; any other decision means that play has moved on.
        left = (acts[self.at[number] :] for number, acts in self.acts.items())
        others = any(note.event.choice != SURRENDER for notes in left for note in notes)
        return STAND if self.round.over or self.cards.more() or others else None

    def _on_closed(self, box: Box, at: int, hand: Hand, note: Noted) -> bool:
        """A decision for a hand that is closed: surrender is void; a double with chips was played all the same."""
        choice = note.event.choice
        if choice in EXTRAS and not hand.stood and self._claimable(at, note):
            return self._doubled(box, at, hand, note) if choice == DOUBLE else self._was_split(box, at, hand, note)
        self._without_hand(box, hand, note)
        return True

    def _without_hand(self, box: Box, hand: Hand, note: Noted) -> None:
        if note.event.choice == SURRENDER:
            self._no_surrender(box, hand, note)
        else:
            self.play.ignored.append(note)

    def _decided(self, box: Box, at: int, hand: Hand, note: Noted) -> bool:
        choice = note.event.choice
        if choice == SURRENDER:
            self._surrendered(box, hand, note)
            return True
        if self._taken_back(box, at, note):
            return True
        self._by_whom(box, hand, note)
        if choice == STAND:
            hand.stood = True
        elif choice == HIT:
            if hand.ace:  # no card is due: with A,A it leaves the split undone (BJ-33)
                self.play.ignored.append(note)
                hand.stood = True
                return True
            return self._to_hand(hand)
        elif choice == DOUBLE:
            return self._doubled(box, at, hand, note)
        else:
            return self._was_split(box, at, hand, note)
        return True

    def _taken_back(self, box: Box, at: int, note: Noted) -> bool:
        """An unclear sign that was put right before the next card (BJ-27)."""
        if note.event.signal != "none":
            return False
        after = self._next(box, at)
        if after is None or after.event.choice == SURRENDER:
            return False
        return not any(note.order < card.order < after.order for card in self.round.draws)

    def _by_whom(self, box: Box, hand: Hand, note: Noted) -> None:
        """BJ-04: the owner decides, or who stands in for him (BJ-A35)."""
        player, due = note.event.player, decider(box, hand)
        shared = len(box.players) > 1
        if player is None:
            if shared and not any(mark.code.endswith("decision_not_by_owner") for mark in self.play.marks):
                self.play.marks.append(missing("BJ-04", "decision_not_by_owner", "hand", facts=(note.fact,)))
            return
        if player == due:
            return
        objected = self._objected(note)
        opposed = objected is not None or self.house("blackjack.foreign_decision") == "ruling_required"
        mark = Mark(
            rule="BJ-04", code="decision_not_by_owner", kind="ruling_required" if opposed else "breach", scope="hand",
            subject=f"box {box.number}", player=player, text=f"{due} decides",
            facts=(note.fact,) if objected is None else (note.fact, objected.fact),
        )  # fmt: skip
        self.play.marks.append(mark)
        if opposed:
            self.play.issues.append(Issue(mark, hand=hand))

    def _objected(self, note: Noted) -> Noted | None:
        next_card = min((card.order for card in self.round.draws if card.order > note.order), default=None)
        for other in self.round.notes(bj.DecisionObjected):
            event = other.event
            if (event.box, event.hand) == (note.event.box, note.event.hand) and other.order > note.order:
                return other if next_card is None or other.order < next_card else None
        return None

    # Surrender

    def _surrendered(self, box: Box, hand: Hand, note: Noted) -> None:
        """Half back, before the hand draws, not against an ace (BJ-34, BJ-A15, BJ-A16)."""
        player = note.event.player or decider(box, hand)
        by_owner = self.house("blackjack.surrender_by") == "owner"
        drawn = any(card.order < note.order for card in self.round.draws[2 * len(self.boxes) + 1 :])
        allowed = may_surrender(self.house, self.play, hand, drawn=drawn) and player in hand.playing
        if not allowed or (by_owner and player != box.owner):
            self._no_surrender(box, hand, note)
            return
        for one in hand.playing if by_owner else [player]:
            hand.gone[one] = SURRENDER

    def _no_surrender(self, box: Box, hand: Hand, note: Noted) -> None:
        player = note.event.player or box.owner
        stopped = not hand.stood and not self._closed_by_cards(hand) and not self._acts_after(box, note)
        mark = Mark(
            rule="BJ-34", code="surrender_not_allowed", kind="ruling_required" if stopped else "corrected",
            scope="hand", subject=f"box {box.number}", player=player, facts=(note.fact,),
            text="play of the hand stopped there" if stopped else "",
        )  # fmt: skip
        self.play.marks.append(mark)
        if stopped and player in hand.playing:
            self.play.issues.append(Issue(mark, tuple(hand.of(player)), hand))

    def _closed_by_cards(self, hand: Hand) -> bool:
        return hand.points >= TWENTY_ONE or hand.doubled or (hand.ace and len(hand.cards) > 1)

    def _acts_after(self, box: Box, note: Noted) -> bool:
        return any(other.order > note.order for other in self.acts[box.number])

    # Doubles and splits

    def _doubled(self, box: Box, at: int, hand: Hand, note: Noted) -> bool:
        """An equal stake, exactly one card (BJ-30); who refuses keeps his single stake (BJ-41)."""
        wrong = no_double(self.house, hand)
        if wrong and not self._claimable(at, note):
            self.play.ignored.append(note)  # it was refused, as it should be
            return True
        added = self._claim(box, at, hand, note, "BJ-41")
        if wrong:
            self._issue("BJ-30", "double_not_allowed", hand, note, added)
        hand.doubles += added
        hand.doubled = True
        self._sum(box, ("all_stakes",), hand, note, added)
        return self._to_hand(hand)

    def _was_split(self, box: Box, at: int, hand: Hand, note: Noted) -> bool:
        """A hand more on the right, for those who add an equal stake; the others play on with the left (BJ-31, 40)."""
        wrong = self._no_split(hand) if not (hand.doubled or hand.stood) else NOT_A_PAIR
        if (wrong and not self._claimable(at, note)) or len(hand.cards) != 2:
            self.play.ignored.append(note)
            return True
        added = self._claim(box, at, hand, note, "BJ-40")
        if wrong:
            self._issue(*wrong, hand, note, added)
        right = Hand.dealt(hand.box, added)
        right.cards.append(hand.cards.pop())
        right.unpaid = not any(part.stake.player == decider(box, hand) for part in added)
        hand.from_split = right.from_split = True
        hand.ace = right.ace = hand.names[0][0] == "A" and right.names[0][0] == "A"
        self.play.hands[hand.box].insert(at + 1, right)
        self._sum(box, ("original_plus_split", "all_stakes"), hand, note, added)
        count = len(self.play.hands[hand.box])
        if not wrong and count == self.house("blackjack.max_hands_per_box") == 4:
            self.play.marks.append(
                Mark(
                    rule="BJ-20", code="contested:BJ-A01", kind="advisory", scope="hand", subject=f"box {hand.box}",
                    facts=(note.fact,), text="a fourth hand: one sentence of the plan allows three bets on a box",
                )
            )  # fmt: skip
        if self.house("blackjack.split_second_card") == "both_at_once":
            return self._to_hand(hand) and self._to_hand(right)
        return True

    def _claimable(self, at: int, note: Noted) -> list[Part]:
        """Extra stakes laid for this decision: for the hand, between the decisions of the box before and after it."""
        acts = self.acts[note.event.box]
        others = [other.order for other in acts if other.event.choice != SURRENDER]
        low = max((order for order in others if order < note.order), default=-1)
        high = min((order for order in others if order > note.order), default=None)
        return [
            part for part in self.unclaimed
            if part.stake.box == note.event.box and part.stake.hand == at + 1 and part.stake.spot == note.event.choice
            and part.stake.order > low and (high is None or part.stake.order < high)
        ]  # fmt: skip

    def _claim(self, box: Box, at: int, hand: Hand, note: Noted, refused: str) -> list[Part]:
        """The extra stakes of those on the hand; each equals his stake there (BJ-A43)."""
        laid = self._claimable(at, note)
        added: list[Part] = []
        for player in list(hand.playing):
            own = [part for part in laid if part.stake.player == player]
            if not own:
                self._did_not_add(box, hand, note, player, refused)
                continue
            live, recorded = hand.stake_of(player), sum(part.amount for part in hand.of(player, doubles=False))
            if at_risk(own) == recorded != live:
                keep_up_to(own, live, "BJ-18", "over_box_max")
            if at_risk(own) != live:
                self._issue("BJ-30", "unequal_extra_bet", hand, note, own)
            added += own
        for part in added:
            self.unclaimed.remove(part)
        return added

    def _did_not_add(self, box: Box, hand: Hand, note: Noted, player: str, refused: str) -> None:
        if player == decider(box, hand):
            hand.unpaid = hand.unpaid or refused == "BJ-40"
            laid = [part.stake for part in self.play.extras if part.rule == "BJ-02"]
            if (box.number, note.event.choice, player) in [(own.box, own.spot, own.player) for own in laid]:
                self._issue("BJ-30", "unequal_extra_bet", hand, note, [], hand)
            else:
                self.play.marks.append(missing("BJ-30", "unequal_extra_bet", "hand", facts=(note.fact,)))
        elif self.house("blackjack.back_bettor_may_decline"):
            hand.refused[player] = refused
        else:
            self._issue("BJ-30", "unequal_extra_bet", hand, note, [])

    def _issue(self, rule: str, code: str, hand: Hand, note: Noted, parts: list[Part], of: Hand | None = None) -> None:
        mark = Mark(
            rule=rule, code=code, kind="ruling_required", scope="hand", subject=f"box {hand.box}",
            player=parts[0].stake.player if parts else "", facts=(note.fact, *[part.stake.fact for part in parts]),
        )  # fmt: skip
        self.play.marks.append(mark)
        self.play.issues.append(Issue(mark, tuple(parts), of))

    def _sum(self, box: Box, scopes: tuple[str, ...], hand: Hand, note: Noted, added: list[Part]) -> None:
        """The maximum of a box where the house counts more than original bets (BJ-20, BJ-A02)."""
        scope, high = self.house("blackjack.box_max_scope"), (self.round.limits or self.session.limits).high
        if scope not in scopes or high is None:
            return
        kinds = EXTRAS if scope == "all_stakes" else (SPLIT,)
        extra = [part for part in self.play.extras if part.stake.box == box.number and part.stake.spot in kinds]
        if box.live + at_risk(part for part in extra if part not in self.unclaimed) > high:
            self._issue("BJ-20", "sum_over_max", hand, note, added)

    def _void_unclaimed(self) -> None:
        """Extra stakes without the owner's split or double (BJ-39); what he said must be readable for that."""
        for part in self.unclaimed:
            if part.stake.box in self.play.unread:
                facts = (part.stake.fact,)
                self.play.marks.append(
                    missing("BJ-39", "no_independent_extra", "bet", facts=facts, subject=part.stake.id)
                )
                continue
            give_back([part], "BJ-39", "no_independent_extra")
            self.play.marks.append(void_mark("BJ-39", "no_independent_extra", part))


def total_at(play_: Play, place: str, order: int) -> int | None:
    """The total of a hand (`box/3.1`, `dealer`) by the cards that had come to it at a place in the round."""
    cards = [card.card for card, to in play_.places if to == place and card.order < order]
    return total(cards).points if cards and "??" not in cards else None
