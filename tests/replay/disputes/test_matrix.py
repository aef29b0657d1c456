"""What the matrix of each room gives management really takes effect in that room, by every ground that it names."""

from __future__ import annotations

from typing import Any

import pytest

from cli import assembly
from games.shared.matrix import Row
from replay.disputes import desk
from replay.disputes.desk import Session, Wish
from tests.replay.disputes.house import house, opened

_WHOLE = {"round", "shoe", "session"}
_ROWS = [
    (name, row)
    for name, game in assembly.rooms().items()
    for row in game.matrix
    if row.decides == "management" and {"void", "refund", "ruling"} & set(row.effects) and _WHOLE & set(row.scopes)
]


@pytest.mark.parametrize(("room", "row"), _ROWS, ids=[f"{room}-{row.grounds[0]}" for room, row in _ROWS])
def test_a_round_voided_by_the_book_gives_each_player_what_he_lost_and_takes_what_he_won(room: str, row: Row) -> None:
    records = list(assembly.rooms()[room].deal(2, 3, table="brno/T-1"))
    subject = records[0].subject
    scope: Any = next(one for one in row.scopes if one in _WHOLE)
    standard: Any = row.standard if row.standard != "none" else "fact"
    with house(records) as book:
        judged = {one.round: one for one in book.judge(subject).verdicts}
        made = opened(book, list(judged)[-1])
        for ground in row.grounds:
            wish = Wish(ground=ground, scope=scope, standard=standard)
            found, came = desk.propose(Session(book, "novakova"), made.id, wish, "seen")
            desk.decide(Session(book, "dvorak"), made.id, approve=False, reason="try the next ground")
            assert found.proposed is not None
            assert found.proposed.basis == ("analogy" if row.by_analogy else "book")
            nets: dict[str, int] = {}
            for address in found.proposed.rounds:
                recorded = judged[address].recorded
                assert recorded is not None
                seats = {line.stake: line.player for line in judged[address].due.lines}
                for line in recorded.lines:
                    player = seats.get(line.stake, line.player)
                    nets[player] = nets.get(player, 0) - line.net
            assert came.amounts == {player: amount for player, amount in sorted(nets.items()) if amount}
            assert len(found.proposed.rounds) == (1 if scope == "round" else len(judged))
