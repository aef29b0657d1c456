"""A hold'em table as a person sees it: the shared poker table with two cards each and five on the board."""

from __future__ import annotations

from games.holdem.expects import expects
from games.holdem.payouts import all_boards, claims_of
from games.picture import Picture, Viewpoint
from games.shared.poker import picture as poker
from games.shared.poker.ranks import hand_name
from games.shared.poker.table import Session


def picture(session: Session, viewpoint: Viewpoint) -> Picture:
    """The table. Cards show if they lie open, to their own seat, or to one who may see all."""
    hand = session.hand
    next_ = expects(session)
    if hand is None:
        return poker.nobody(session, next_)
    shown = poker.Shown(
        boards=all_boards(hand),
        claims=claims_of(session, hand),
        next=next_,
        name_hand=lambda cards, board: hand_name(cards + board),
    )
    return poker.picture(session, hand, viewpoint, shown)
