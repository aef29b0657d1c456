"""Hand histories of other programs and houses, read into poker events and written back.

`sections`: a file cut into hands by text, streamed. `names`: players' names replaced. `draft`: one hand in the words
of the poker events, whatever format told it, and its envelopes. `phh`, `phh_in`: the Poker Hand History format read and
told; `phh_out`: written. `objects`: a file of JSON cut into hands; `ohh`, `ohh_in`, `ohh_out`: Open Hand History read,
told, written. `retold`: a hand's facts gathered for any writer. `pokernow`: the language of PokerNow's logs; `pokernow_log`: such a log cut into hands;
`pokernow_piece`, `pokernow_in`: a hand's piece of it read, proved and told. `formats`: how a file's format is
known; a new one is an entry there. `imports`: files into the log, with a report.

Every reader proves a hand's money by the file's own sums (`HandDraft.settle`); where it does not add up the hand is
taken over as it is told and the report names it. What a reader had to choose stands in `HandImported.notes`.

A reader decides nothing about rules: what a history tells is recorded, odd or not, and the room judges it.
"""
