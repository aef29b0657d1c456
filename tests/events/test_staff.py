"""Who acts: two people for each registration, one person an account, and what stands in the log against that."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from events.errors import Refused
from events.schema.ours import StaffProposed, StaffRegistered, StaffRetired, StaffRole
from events.seal import SigningKey
from events.staff import account_of, approve, propose, read_register, retire, stream_of
from events.store import Draft, Log
from events.values.clock import gaming_day, now_ms
from tests.stores import CATALOGUE

HOUSE = "brno"
TODAY = gaming_day(now_ms())
DAY = date(2026, 1, 1)


def wish(person: str, *roles: StaffRole, account: str = "", frm: date = DAY, to: date | None = None) -> StaffRegistered:
    return StaffRegistered(person, account or person, roles, frm.isoformat(), to.isoformat() if to else None)


@pytest.fixture
def log(tmp_path: Path) -> Iterator[Log]:
    """A house with two managers and a third one waiting."""
    with Log.open(str(tmp_path / "log.db"), CATALOGUE, create=True) as opened:
        propose(opened, HOUSE, wish("novakova", "manager"), account="root", reason="first")
        propose(opened, HOUSE, wish("dvorak", "manager"), account="root", reason="second")
        yield opened


def test_the_first_two_managers_are_registered_alone_and_then_nobody(log: Log) -> None:
    register = read_register(log, HOUSE)
    assert register.managers(TODAY) == ["dvorak", "novakova"]
    with pytest.raises(Refused, match="account root has no role"):
        propose(log, HOUSE, wish("root", "manager"), account="root", reason="me too")


def test_the_first_two_are_managers(tmp_path: Path) -> None:
    with Log.open(str(tmp_path / "log.db"), CATALOGUE, create=True) as log:
        with pytest.raises(Refused, match="first two registrations are its managers'"):
            propose(log, HOUSE, wish("kral", "surveillance"), account="root", reason="r")
        with pytest.raises(Refused, match="at least one role"):
            propose(log, HOUSE, wish("kral"), account="root", reason="r")


def test_one_proposes_another_approves(log: Log) -> None:
    asked = propose(log, HOUSE, wish("kral", "surveillance", "auditor"), account="novakova", reason="new")
    assert isinstance(asked, StaffProposed)
    assert read_register(log, HOUSE).roles_of("kral", TODAY) == frozenset()
    approve(log, HOUSE, asked.proposal, account="dvorak", reason="seen")
    register = read_register(log, HOUSE)
    assert register.roles_of("kral", TODAY) == {"surveillance", "auditor"}
    assert not register.proposals
    with pytest.raises(Refused, match="no proposal"):
        approve(log, HOUSE, asked.proposal, account="dvorak", reason="again")


def test_nobody_approves_his_own_by_whatever_account(log: Log) -> None:
    second = propose(log, HOUSE, wish("novakova", "manager", account="nov2"), account="novakova", reason="a second one")
    assert isinstance(second, StaffProposed)
    approve(log, HOUSE, second.proposal, account="dvorak", reason="seen")
    asked = propose(log, HOUSE, wish("kral", "manager"), account="novakova", reason="new")
    assert isinstance(asked, StaffProposed)
    for account in ("novakova", "nov2"):
        with pytest.raises(Refused, match="novakova proposed"):
            approve(log, HOUSE, asked.proposal, account=account, reason="mine")
    with pytest.raises(Refused, match="account kral has no role"):
        approve(log, HOUSE, asked.proposal, account="kral", reason="mine")


def test_nobody_approves_a_managers_role_of_his_own(log: Log) -> None:
    asked = propose(log, HOUSE, wish("dvorak", "manager", account="dv2"), account="novakova", reason="a second one")
    assert isinstance(asked, StaffProposed)
    with pytest.raises(Refused, match="roles of his own"):
        approve(log, HOUSE, asked.proposal, account="dvorak", reason="mine")


def test_one_account_is_one_person(log: Log) -> None:
    with pytest.raises(Refused, match="account novakova stands for novakova; it cannot be kral too"):
        propose(log, HOUSE, wish("kral", "surveillance", account="novakova"), account="dvorak", reason="r")


def test_roles_have_days(log: Log) -> None:
    until = wish("kral", "surveillance", frm=date(2026, 3, 1), to=date(2026, 3, 31))
    asked = propose(log, HOUSE, until, account="novakova", reason="March")
    assert isinstance(asked, StaffProposed)
    approve(log, HOUSE, asked.proposal, account="dvorak", reason="seen")
    register = read_register(log, HOUSE)
    roles = {day: register.roles_of("kral", date(2026, *day)) for day in ((2, 28), (3, 1), (3, 31), (4, 1))}
    assert {day for day, found in roles.items() if found} == {(3, 1), (3, 31)}
    with pytest.raises(Refused, match=r"kral \(account kral\) has no role"):
        register.require("kral", TODAY, "surveillance", to="opening a dispute")
    with pytest.raises(Refused, match="before the first"):
        propose(log, HOUSE, wish("x", "auditor", frm=date(2026, 3, 2), to=DAY), account="dvorak", reason="r")


def test_who_leaves_has_no_role_by_any_account_but_two_managers_stay(log: Log) -> None:
    with pytest.raises(Refused, match="fewer than 2 managers"):
        retire(log, HOUSE, "dvorak", TODAY, account="novakova", reason="left")
    asked = propose(log, HOUSE, wish("kral", "manager"), account="novakova", reason="new")
    assert isinstance(asked, StaffProposed)
    approve(log, HOUSE, asked.proposal, account="dvorak", reason="seen")
    retire(log, HOUSE, "dvorak", TODAY, account="novakova", reason="left")
    register = read_register(log, HOUSE)
    assert "manager" in register.roles_of("dvorak", TODAY)
    assert register.managers(TODAY + TODAY.resolution) == ["kral", "novakova"]
    with pytest.raises(Refused, match="nobody is called"):
        retire(log, HOUSE, "nobody", TODAY, account="novakova", reason="r")
    with pytest.raises(Refused, match="account root has no role"):
        retire(log, HOUSE, "kral", TODAY, account="root", reason="r")


def test_a_personal_key_is_an_account(log: Log) -> None:
    key = SigningKey("kral", Ed25519PrivateKey.generate()).verifier
    named = StaffRegistered("kral", account_of(key), ("auditor",), DAY.isoformat(), None, None, str(key))
    asked = propose(log, HOUSE, named, account="novakova", reason="shares a terminal")
    assert isinstance(asked, StaffProposed)
    approve(log, HOUSE, asked.proposal, account="dvorak", reason="seen")
    register = read_register(log, HOUSE)
    assert register.actor(account_of(key), TODAY).person == "kral"
    assert register.keys_of(account_of(key)) == key
    wrong = StaffRegistered("kral", "key:0011", ("auditor",), DAY.isoformat(), None, None, str(key))
    with pytest.raises(Refused, match="the key is key:"):
        propose(log, HOUSE, wrong, account="novakova", reason="r")
    with pytest.raises(Refused, match="do not go together"):
        propose(log, HOUSE, wish("kral", "auditor", account="key:0011"), account="novakova", reason="r")


def test_what_stands_in_the_log_against_the_rules_does_not_count_and_is_named(log: Log) -> None:
    """Somebody with the store at hand can author what he likes; the register is folded by the same rules."""
    forged = [
        Draft(event=wish("zlodej", "manager"), account="zlodej"),
        Draft(event=StaffRegistered("zlodej", "zlodej", ("manager",), "2026-01-01", None, "staff-9"), account="dvorak"),
        Draft(event=StaffRetired("dvorak", "2026-01-02"), account="zlodej"),
    ]
    log.author(stream_of(HOUSE), forged)
    register = read_register(log, HOUSE)
    assert register.managers(TODAY) == ["dvorak", "novakova"]
    assert [passed.cite for passed in register.passed] == ["3@/recoup", "4@/recoup", "5@/recoup"]


def test_what_is_registered_is_what_was_proposed(log: Log) -> None:
    asked = propose(log, HOUSE, wish("kral", "surveillance"), account="novakova", reason="new")
    assert isinstance(asked, StaffProposed)
    more = StaffRegistered("kral", "kral", ("manager",), DAY.isoformat(), None, asked.proposal)
    log.author(stream_of(HOUSE), [Draft(event=more, account="dvorak")])
    register = read_register(log, HOUSE)
    assert register.roles_of("kral", TODAY) == frozenset()
    assert "not what" in register.passed[-1].text


def test_two_who_act_at_once_are_told(log: Log, monkeypatch: pytest.MonkeyPatch) -> None:
    stale = read_register(log, HOUSE)
    propose(log, HOUSE, wish("kral", "auditor"), account="novakova", reason="new")
    monkeypatch.setattr("events.staff.read_register", lambda _log, _house: stale)
    with pytest.raises(Refused, match="is at version") as raised:
        propose(log, HOUSE, wish("kral", "auditor"), account="dvorak", reason="new")
    assert "look again" in raised.value.hint
