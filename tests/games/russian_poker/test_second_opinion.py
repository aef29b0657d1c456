"""The settlement against a second, straightforward one: 100,000 random boxes, and whole rounds through the judge."""

from __future__ import annotations

from random import Random

from events.schema.fact import Fact
from events.values.cards import DECK
from games.clocks import Clocks
from games.house_rules.edition import read_edition
from games.russian_poker import GAME
from games.russian_poker.boxes import Box
from games.russian_poker.hands import hand_of
from games.russian_poker.play import Playing, Table, lay_out
from games.russian_poker.replacing import Outcome
from games.russian_poker.rules import RULES
from games.russian_poker.settling import settle_box
from games.russian_poker.state import evolve, open_table
from games.shared.bank.parts import part_of
from games.shared.bank.table import Stake
from tests.games.russian_poker import second
from tests.games.russian_poker.room import CATALOGUE, EDITION, TABLE
from tests.games.table import facts_of_lines, judge_envelopes
from tests.soaking import examples

DEALS = examples(100_000)
SPOTS = ("ante", "bonus", "fee", "insurance", "bet", "rex")
HAND = {spot: number for number, spot in enumerate(SPOTS)}


def over() -> tuple[Table, Fact]:
    """A round in which the dealer has turned; and some record."""
    facts = facts_of_lines(
        TABLE + "@+3 #1 RoundOpened\n@+4 #1 StakePlaced k1 p-1 1 ante 100\n@+5 #1 DealerTurned", CATALOGUE
    )
    session = open_table(read_edition(EDITION, RULES.form), facts[0], (), Clocks())
    for fact in facts[1:]:
        session = evolve(session, fact)
    assert session.round is not None
    return lay_out(session, session.round), facts[-1]


def mirrored(cards: tuple[str, ...]) -> tuple[str, ...]:
    """The same ranks in other suits; nothing where that takes one of the cards themselves."""
    other = tuple(card[0] + "cdhs"["cdhs".index(card[1]) - 1] for card in cards)
    return () if set(other) & set(cards) else other


def test_random_boxes_are_settled_as_a_second_implementation_says() -> None:
    rng = Random("russian poker, a second time")
    table, fact = over()
    assert table.tier is not None
    limits = table.session.limits
    results = dict.fromkeys(("win", "lose", "tie", "no_qualify"), 0)
    for _ in range(DEALS):
        cards = rng.sample(DECK, 13)
        size = rng.choice((5, 6))
        own, dealer = tuple(cards[:size]), tuple(cards[6:11])
        if rng.random() < 0.02:
            dealer = mirrored(own[:5]) or dealer
        ante = rng.choice((50, 100, 700, 1000))
        staked = {"ante": ante, "bet": 2 * ante, "bonus": rng.choice((0, 20)), "insurance": rng.choice((0, 2 * ante))}
        staked["fee"] = ante if size == 6 else 0
        card = next(one for one in cards[11:] + list(DECK) if one not in (*own, *dealer))
        new = (card, *sorted(dealer, key=lambda one: second.RANKS.index(one[0]))[:4])
        asks = rng.random() < 0.5
        stakes = tuple(
            Stake(
                id=spot, player="p", box=1, spot=spot, amount=amount * 100, fact=fact, order=HAND[spot], limits=limits
            )
            for spot, amount in staked.items()
            if amount
        )
        box = Box(number=1, player="p", stakes=stakes)
        parts = {spot: [part_of(stake) for stake in box.on(spot)] for spot in SPOTS}
        first = hand_of(dealer)
        playing = Playing(
            box=box, parts=parts, ante=ante * 100, status="bet", hand=hand_of(own), first=hand_of(own[:5])
        )
        assert first is not None
        by_box = {1: hand_of(new)} if asks and not first.qualifies else {}
        settle_box(table, playing, Outcome(first, dealer, by_box))
        results[playing.result] += 1
        got = {spot: (part.taken // 100, part.paid // 100) for spot in SPOTS for part in parts[spot]}
        wanted = second.settled(own, dealer, new if asks else None, staked, own[:5], most=100_000)
        assert got == {spot: wanted[spot] for spot in got}, (own, dealer, new, asks, staked)
    assert all(count > DEALS // 1_000 for count in results.values()), results


def test_dealt_rounds_are_settled_so_by_the_judge() -> None:
    for seed in range(100, 100 + examples(8)):
        judgement = judge_envelopes(GAME.deal(12, seed), GAME, EDITION)
        assert [verdict.settlement for verdict in judgement.verdicts] == ["agrees"] * 12
        assert not [finding for verdict in judgement.verdicts for finding in verdict.findings]
