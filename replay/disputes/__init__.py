"""Disputes: from a complaint to its end, with two people and full money effects.

dispute   the aggregate: what is on record of a dispute, folded
verdicts  the disputed rounds judged by the facts alone, and under a ruling
matrix    what the house's book lets management rule, who may, and on what proof
effects   what a ruling owes each player, and what it does to win and rake
shoes     every round dealt from a shoe
session   who sits at the desk
refusals  what refuses an act, and which rule that is
desk      the commands: each checks, and writes
"""
