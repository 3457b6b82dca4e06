"""Is it really slower? Come here to change how a confirmation is compared and judged.

``statistics``  the rule: two paired series of times -> slower, faster, same or inconclusive
``verdict``     (search, confirmation, baseline, policy) -> Verdict with one sentence for people
``paired``      findings of the paired comparison, which decides
``stored``      today's samples against stored numbers, which are never alone enough for a red
``platform``    what tool chain, driver and device have to do with it
``floors``      findings that need no baseline: impossible rates, floors, how the search ended
``bestknown``   a configuration that is gated as it is, beside the best that is known; advice
``calibrate``   from confirmations without a change: how noisy is this machine, and which thresholds suit it

All of it is pure; what is judged is sampled in execute/.

Three facts shape the room. The best value seen in a search is the luckiest of many noisy ones, so it never decides.
A stored number and today's number have different noise, so whatever can be measured again today is measured again,
in the same minute, in shuffled order. And "slower" has different causes, so the verdict names one.
"""
