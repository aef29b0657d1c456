"""Evidence packs: what a round or a dispute rests on, in one file that an outsider checks without trusting us.

rows    which stored rows belong to it
proofs  those rows as leaves of the signed tree
blocks  what a page is made of, before it is HTML or PDF
html    the page as one file that needs nothing else
pdf     the same on paper
plans   the cloth with its chips, on paper
letters the fonts on paper, and what fits in a cell
pack    all of it in one archive, the same bytes for the same log
verify  the verifier: it lies in every pack, and needs nothing of Recoup
"""
