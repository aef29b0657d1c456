"""What the card games against the bank share (blackjack, casino hold'em, Caribbean stud, Russian poker).

Values     events (prefix BG), boxes (stakes and who stands where), deck (cards off a deck or shoe), limits
Judgement  lines (settlement lines), rulings; both know no rule: a room hands in its grounds and rule ids
For people picture: boxes in a row, the dealer's cards, the settlement line by line
"""
