"""A hold'em table: the shared poker table with the terms of a rule book NL edition."""

from __future__ import annotations

from events.schema.common import TableOpened
from events.schema.fact import Fact
from events.schema.ours import HandImported
from events.values.money import MINOR_PER_MAJOR
from games.clocks import Clocks
from games.house_rules.edition import Edition
from games.shared.poker.deck import DealTerms
from games.shared.poker.hand import Stakes, Terms, limits_of
from games.shared.poker.pots import RakeTerms
from games.shared.poker.seats import SeatTerms
from games.shared.poker.table import Session, evolve

__all__ = ["Session", "evolve", "open_table", "terms_of"]

HOME_CURRENCY = "CZK"
_TERMS: dict[tuple[str, str, int], Terms] = {}
_TABLES: dict[tuple[str, str, int, bool], Session] = {}


def open_table(edition: Edition, opened: Fact, _rulings: tuple[Fact, ...], _clocks: Clocks) -> Session:
    """The table before its first hand. The smallest chip is the table's; where nobody says, one whole unit.

    One for all that open alike: an imported hand is a session of its own.
    """
    event = opened.event
    currency, unit, imported = HOME_CURRENCY, None, False
    if isinstance(event, TableOpened | HandImported):
        currency, unit, imported = event.currency, event.smallest_chip, isinstance(event, HandImported)
    key = (edition.digest, currency, unit or 0, imported)
    table = _TABLES.get(key)
    if table is None:
        terms, stakes = terms_of(edition, currency, unit or MINOR_PER_MAJOR), Stakes()
        table = _TABLES[key] = Session(
            edition=edition,
            terms=terms,
            stakes=stakes,
            limits=limits_of(stakes, terms),
            currency=currency,
            imported=imported,
            smallest_chip=bool(unit) or imported,
        )
    return table


def terms_of(edition: Edition, currency: str, unit: int) -> Terms:
    """An edition's parameters as the fold reads them; the same for every table with that currency and chip."""
    key = (edition.digest, currency, unit)
    terms = _TERMS.get(key)
    if terms is None:
        terms = _TERMS[key] = _terms(edition, currency, unit)
    return terms


def _terms(edition: Edition, currency: str, unit: int) -> Terms:
    most = edition["table_max_bet"]
    return Terms(
        hole=edition.constants.hole_cards,
        min_raise=edition["min_raise_rule"],
        accumulates=edition["short_all_in_accumulates"],
        exactly=edition["raise_size"] == "exactly_double",
        most=None if most is None else most * MINOR_PER_MAJOR,
        one_chip=edition["one_chip_raise"],
        foreign_words_bind=edition["other_language_effect"] == "binding",
        exposed_both=edition["exposed_ban_cards"] == "both",
        order_scope=edition["showdown_order_scope"],
        heads_up=edition["heads_up_blinds"],
        unit=unit,
        rake=None if edition["rake_source"] == "as_recorded" else _rake(edition, currency, unit),
        rate_bp=edition["rake_rate_bp"],
        muck="unless_all_in" if edition["showdown_muck_allowed"] else "never",
        soft_play="unless_all_tie" if edition["soft_play_exempt_all_tie"] else "always",
        expelled_dead=edition["expelled_hand"] == "dead",
        out_of_turn=edition["out_of_turn"],
        clock_s=edition["action_clock_s"],
        seating=_seating(edition),
        deal=_deal(edition),
        run_it=edition["run_it_twice"],
    )


def _deal(edition: Edition) -> DealTerms:
    return DealTerms(
        exposed_first=edition["misdeal_exposed_seq_max"],
        by_player=edition["player_exposed_card"],
        picked=edition["four_card_flop_burn"],
        deadline=edition["misdeal_deadline"],
        extra_elsewhere=edition["extra_card_other_seat"],
    )


def _seating(edition: Edition) -> SeatTerms:
    return SeatTerms(
        button_rule=edition["button_rule"],
        straddle=edition["straddle"],
        ante=_minor(edition["ante"]),
        least_buy_in=_minor(edition["min_buyin"]),
        most_buy_in=_minor(edition["max_buyin"]),
    )


def _minor(amount: int | None) -> int | None:
    return None if amount is None else amount * MINOR_PER_MAJOR


def _rake(edition: Edition, currency: str, unit: int) -> RakeTerms:
    cap = edition["rake_cap_czk"] if currency == HOME_CURRENCY else edition["rake_cap_other_currency"]
    return RakeTerms(
        rate_bp=edition["rake_rate_bp"],
        cap=None if cap is None else cap * MINOR_PER_MAJOR,
        unit=unit,
        rounding=edition["rake_rounding"],
        all_chips_in=edition["rake_base"] == "all_chips_in",
        no_flop_no_drop=edition["no_flop_no_drop"],
        allocation=edition["rake_allocation"],
    )
