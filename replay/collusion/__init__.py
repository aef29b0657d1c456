"""The collusion file: what players did to each other over many hands, beside what chance would give.

reading   sessions judged and looked on at: hand by hand, who met whom
tally     per pair: how often and how much, and how often by the two's own ways with others
chance    the names at a table dealt out anew, seeded; many pairs corrected for
file      the whole, with the hands to look at first, as figures and as JSON

It gives reasons to look, never a verdict: no rule says what these figures would have to be.
"""
