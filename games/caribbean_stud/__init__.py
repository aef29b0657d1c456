"""Caribbean stud poker, a bank game with five cards each and one exchange (rule book CS).

Values     hands (codes, order), events, parameters, table (session, round)
Fold       state (open_table, evolve), on games/shared/bank
Judgement  payouts (due, in the order of CS-17), on a working paper: stakes, conduct, play, faults of the deal, rulings;
           course: how each deal of a round went; matrix: what follows from what, as data
Checks     rules, which read the marks that the settlement leaves; expects: what may come next
For people picture; dealer with misdeeds
"""

from __future__ import annotations
