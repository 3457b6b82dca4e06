"""Is it really slower? Come here to change how finalists are confirmed, compared and judged.

``sampling``    takes the samples: race of the finalists, then the winner beside the baseline's own build
``statistics``  the rule: two paired series of times -> slower, faster, same or inconclusive; pure
``stored``      today's samples against stored numbers, which are never alone enough for a red; pure
``platform``    what tool chain, driver and device have to do with it; pure
``verdict``     (search, confirmation, baseline, policy) -> Verdict with one sentence for people; pure
``bestknown``   a configuration that is gated as it is, beside the best that is known; advice, pure
``calibrate``   from confirmations without a change: how noisy is this machine, and which thresholds suit it; pure

Three facts shape the room. The best value seen in a search is the luckiest of many noisy ones, so it never decides.
A stored number and today's number have different noise, so whatever can be measured again today is measured again,
in the same minute, in shuffled order. And "slower" has different causes, so the verdict names one.
"""
