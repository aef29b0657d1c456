"""Hand histories of other programs and houses, read into poker events and written back.

`sections`: a file cut into hands by text, streamed. `names`: players' names replaced. `draft`: one hand in the words
of the poker events, whatever format told it, and its envelopes. `phh`, `phh_in`: the Poker Hand History format read and
told; `phh_out`: written. `pokernow`: the language of PokerNow's logs; `pokernow_log`: such a log cut into hands;
`pokernow_piece`, `pokernow_in`: a hand's piece of it read, proved and told. `imports`: files into the log, with a
report.

A reader decides nothing about rules: what a history tells is recorded, odd or not, and the room judges it.
"""
