"""Russian poker, a bank game on one deck: buy or exchange, two combinations paid, the dealer's card replaced (book RP).

Values     combinations (hands and the second one beside them), pay_table, parameters, events, table (session, coup)
Fold       state (open_table, evolve), on the fold of every card game against the bank
Judgement  payouts (due): boxes and hands as recorded, play (a round being judged), opening, dealing, decisions, insuring,
           replacing, settling; rulings and matrix
Checks     rules, which read the marks that the settlement leaves; expects: what may come next
For people picture; dealer with misdeeds
"""
