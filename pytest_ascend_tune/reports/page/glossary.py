"""The page's glossary; thresholds come from where they are used."""

from __future__ import annotations

from pytest_ascend_tune.model.distribution import NEAR, PLATEAU, SPIKE
from pytest_ascend_tune.model.text import Text

GLOSSARY: tuple[tuple[Text, Text], ...] = (
    (
        Text.of("trial"),
        Text.of("One configuration built, checked and measured in the search. Its rate is a raw search value."),
    ),
    (
        Text.of("confirmed"),
        Text.of(
            "The search's winner measured again on fresh samples, interleaved with what it is compared to. Only "
            "confirmed numbers are reported, stored and judged: the best raw value of a search is the luckiest of many."
        ),
    ),
    (
        Text.of("rate"),
        Text.of(
            "2 m n k operations divided by the time of one call, in TFLOPS (TOPS for int8). The time is the mean of "
            "the fastest quarter of the samples."
        ),
    ),
    (
        Text.of("interval"),
        Text.of(
            "Bootstrap interval of the confirmed rate: where it would be expected again in the same minute. Of a "
            "simulated rate: the band that nine of ten published measurements lie in."
        ),
    ),
    (
        Text.of("share of the peak"),
        Text.of("Confirmed rate divided by the highest possible rate of the device for this dtype."),
    ),
    (
        Text.of("baseline"),
        Text.of(
            "What an earlier run recorded on request: configuration, exact sources, numbers. Its own build is measured "
            "again today, in the same minute as this run's winner."
        ),
    ),
    (
        Text.of("change"),
        Text.of("Confirmed rate against the baseline: negative is slower. The gate fails beyond the allowed drop."),
    ),
    (
        Text.of("converged"),
        Text.of("Every line of the checklist holds: more trials are not expected to bring anything worth their time."),
    ),
    (
        Text.of("spike, plateau"),
        Text.of(
            "Fewer than {spike:.0%} of the valid trials within {near:.0%} of the best: a rare spike. More than "
            "{plateau:.0%}: a wide plateau.",
            spike=SPIKE,
            near=NEAR,
            plateau=PLATEAU,
        ),
    ),
    (
        Text.of("roofline"),
        Text.of(
            "The rate that compute units (flat) and memory (slope) allow for the operations per byte of a problem."
        ),
    ),
    (
        Text.of("parameter effect"),
        Text.of("Share of the variation of log time that the search's model explains by one parameter."),
    ),
)
