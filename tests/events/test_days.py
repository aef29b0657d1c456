"""Gaming days signed by two people: who may, when a day is closed, and what of the log does not count."""

from __future__ import annotations

from datetime import date

import pytest

from events.days import SIGNERS, read_day, sign, subject_of
from events.errors import Refused
from events.schema.ours import DaySigned, StaffRegistered
from events.staff import approve, propose
from events.store import Draft
from tests.replay.disputes.house import house

DAY = date(2026, 11, 28)
ONE, OTHER = "a" * 64, "b" * 64


def signed(digest: str = ONE, size: int = 10) -> DaySigned:
    return DaySigned(digest, size, {"RL-1 CZK": {"win": 500, "drop": None}}, ("3fa857b6cc",))


def test_two_persons_close_a_day():
    with house() as book:
        one = sign(book.log, "brno", DAY, signed(), account="novakova", reason="counted")
        assert (one.closings, one.waiting(ONE).person) == ((), "novakova")
        two = sign(book.log, "brno", DAY, signed(size=12), account="dvorak", reason="")
        assert [(closing.by, closing.tree_size) for closing in two.closings] == [(("novakova", "dvorak"), 12)]
        assert two.waiting(ONE) is None
        assert two.signatures[0].event.figures == {"RL-1 CZK": {"win": 500, "drop": None}}
        assert read_day(book.log, "brno", DAY) == two


@pytest.mark.parametrize("account", ["novakova", "novakova-2"])
def test_one_person_does_not_sign_twice_by_whatever_account(account):
    with house() as book:
        sign(book.log, "brno", DAY, signed(), account="novakova", reason="")
        with pytest.raises(Refused, match="novakova has signed 2026-11-28"):
            sign(book.log, "brno", DAY, signed(), account=account, reason="")


@pytest.mark.parametrize("account", ["cerny", "nobody"])
def test_only_auditors_and_managers_sign(account):
    with house() as book, pytest.raises(Refused, match=f"needs {' or '.join(SIGNERS)}"):
        sign(book.log, "brno", DAY, signed(), account=account, reason="")


def test_a_clock_set_back_lets_nobody_sign_whose_role_has_ended(monkeypatch):
    with house() as book:
        now = book.log.now_ms()
        left = StaffRegistered("novotny", "novotny", ("manager",), "2026-01-01", "2026-11-01")
        wish = propose(book.log, "brno", left, account="novakova", reason="until All Saints")
        approve(book.log, "brno", wish.proposal, account="dvorak", reason="so")
        for clock in ("events.store.log.now_ms", "events.days.now_ms"):
            monkeypatch.setattr(clock, lambda: now - 60 * 86_400_000, raising=False)
        with pytest.raises(Refused, match=r"novotny .* has no role"):
            sign(book.log, "brno", DAY, signed(), account="novotny", reason="my last one")


def test_signatures_of_different_digests_close_nothing():
    with house() as book:
        sign(book.log, "brno", DAY, signed(ONE), account="novakova", reason="")
        other = sign(book.log, "brno", DAY, signed(OTHER), account="dvorak", reason="")
        assert other.closings == ()
        closed = sign(book.log, "brno", DAY, signed(OTHER), account="kral", reason="")
        assert [closing.by for closing in closed.closings] == [("dvorak", "kral")]


def test_a_closed_day_is_signed_again_only_when_it_has_changed():
    with house() as book:
        for account in ("novakova", "dvorak"):
            sign(book.log, "brno", DAY, signed(ONE), account=account, reason="")
        with pytest.raises(Refused, match="is signed as it stands, by novakova and dvorak"):
            sign(book.log, "brno", DAY, signed(ONE), account="kral", reason="")
        for account in ("dvorak", "novakova"):
            again = sign(book.log, "brno", DAY, signed(OTHER), account=account, reason="")
        assert [closing.event.digest for closing in again.closings] == [ONE, OTHER]
        assert again.closings[-1].by == ("dvorak", "novakova")


def test_what_lies_in_the_log_without_the_role_does_not_count():
    with house() as book:
        stream = f"{subject_of('brno', DAY)}@/recoup"
        book.log.author(stream, [Draft(event=signed(), account="nobody"), Draft(event=signed(), account="cerny")])
        assert read_day(book.log, "brno", DAY).signatures == ()
        mine = sign(book.log, "brno", DAY, signed(), account="novakova", reason="")
        assert mine.closings == ()


def test_a_day_of_another_house_is_another_day():
    with house() as book:
        sign(book.log, "brno", DAY, signed(), account="novakova", reason="")
        assert read_day(book.log, "praha", DAY).signatures == ()
