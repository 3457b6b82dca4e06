"""URLs that may hold a password: a value that masks itself in every text, and texts of others freed of such secrets.

What may be shown is listed here (scheme, host, port, path, a few query keys); everything else counts as secret, so
that a mistyped URL is masked rather too much than too little.
"""

from __future__ import annotations

import json
import re
from urllib.parse import quote, quote_plus, unquote, unquote_plus

MASK = "***"
# Keys of a query that are shown, and those of them whose plain values are shown, too.
_PLAIN_VALUES = frozenset(("host", "port", "sslmode", "connect_timeout", "application_name", "mode", "uri"))
_SHOWN_KEYS = _PLAIN_VALUES | frozenset(
    ("user", "password", "sslpassword", "token", "options", "service", "passfile", "sslkey", "sslcert", "sslrootcert")
)
_SCHEME = re.compile(r"([A-Za-z][A-Za-z0-9+.-]*://)(.*)", re.DOTALL)
_HOST = re.compile(r"([A-Za-z0-9_.-]*|\[[0-9A-Fa-f:.]+\])(:[0-9]{1,5})?")
_PATH = re.compile(r"(/[A-Za-z0-9_.~+-]*)*")
_FILE = re.compile(r"/[^:=;&%\\\x00-\x1f\x7f]*")  # of an SQLite URL: no user, no host
_NO_USER = re.compile(r"[/;=&\s]")
_VALUE = re.compile(r"[A-Za-z0-9_./-]*")
_IN_TEXT = re.compile(r"(?<![A-Za-z0-9+.-])[A-Za-z][A-Za-z0-9+.-]*:/\S*")
_BETWEEN = re.compile(r"[:/@?&=;#,\s]+")
_WORD = re.compile(r"\w{4,}")
_WHOLE_FROM = 4  # characters from which a secret is taken out of the middle of a word, too


class SecretUrl:
    """A URL whose text is masked wherever it becomes one: str(), repr(), format(), JSON by default=str.

    :meth:`reveal` gives the real one. A pickle carries it, for a process that has to connect; nothing else does.
    """

    __slots__ = ("_real",)

    def __init__(self, real: str) -> None:
        self._real = real

    def reveal(self) -> str:
        """The real URL, for who connects with it. Never to be shown or written."""
        return self._real

    def hide_in(self, text: str) -> str:
        """What somebody else says of this URL (a driver's error), without its secrets, quoted or not."""
        shown = set(_BETWEEN.split(mask(self._real)))
        hidden = {self._real, *(part for part in _BETWEEN.split(self._real) if part not in shown)}
        user = _SCHEME.sub(r"\2", self._real).rpartition("@")[0]
        hidden |= {user, user.partition(":")[2]}
        words = {word for part in hidden for word in _WORD.findall(unquote(part))}  # a server repeats a part of a value
        hidden |= words - set(_WORD.findall(mask(self._real)))
        return hide_words(hidden, text)

    def __str__(self) -> str:
        return mask(self._real)

    def __repr__(self) -> str:
        return repr(mask(self._real))

    def __format__(self, spec: str) -> str:
        return format(mask(self._real), spec)

    def __eq__(self, other: object) -> bool:
        return self._real == other._real if isinstance(other, SecretUrl) else NotImplemented

    def __hash__(self) -> int:
        return hash((SecretUrl, self._real))

    def __reduce__(self) -> tuple[type[SecretUrl], tuple[str]]:
        return SecretUrl, (self._real,)


def mask(url: str) -> str:
    """A URL with ``***`` for what may be secret: user and password, values of the query, fragment, anything odd."""
    found = _SCHEME.fullmatch(url)
    if not found:
        return MASK
    scheme, rest = found.groups()
    head, mark, tail = _cut(rest)
    if "@" in tail:  # the password holds a ? or #: where it ends cannot be told
        return f"{scheme}{MASK}"
    if scheme == "sqlite://" and head.startswith("/"):
        shown = head if _FILE.fullmatch(head) else f"/{MASK}"
    else:
        user, at, place = head.rpartition("@")
        if _NO_USER.search(user):  # the @ may be a part of the secret, and what follows it, too
            return f"{scheme}{MASK}"
        host, slash, path = place.partition("/")
        shown = f"{MASK}{at}" if user or at else ""
        shown += host if _HOST.fullmatch(host) else MASK
        if slash:
            shown += f"/{path}" if _PATH.fullmatch(f"/{path}") else f"/{MASK}"
    if mark == "?":
        tail = "&".join(map(_parameter, tail.split("&")))
    return f"{scheme}{shown}{mark}{MASK if mark == '#' else tail}"


def hide_urls(text: str) -> str:
    """A text with every URL in it masked that holds a user, or a value of a query."""
    return _IN_TEXT.sub(lambda found: mask(found[0]) if re.search("[@=]", found[0]) else found[0], text)


def hide_words(secrets: set[str], text: str) -> str:
    """A text without `secrets`, as they stand or percent-decoded; short ones only where they are whole words."""
    forms = {form for word in secrets for form in (word, unquote(word), unquote_plus(word))}
    quoted = {quote(form, safe, errors="replace") for form in forms for safe in ("", "/")}
    forms |= quoted | {quote_plus(form, errors="replace") for form in forms}
    forms |= {write(form)[1:-1] for form in forms for write in (repr, ascii, json.dumps)}
    words = sorted(forms - {"", MASK}, key=len, reverse=True)
    patterns = (re.escape(word) if len(word) >= _WHOLE_FROM else rf"(?<!\w){re.escape(word)}(?!\w)" for word in words)
    return re.sub("|".join(patterns), MASK, text) if words else text


def _cut(rest: str) -> tuple[str, str, str]:
    """Before, at and after the first ``?`` or ``#``."""
    found = re.search(r"[?#]", rest)
    return (rest[: found.start()], found[0], rest[found.end() :]) if found else (rest, "", "")


def _parameter(pair: str) -> str:
    key, equals, value = pair.partition("=")
    if not equals or key not in _SHOWN_KEYS:
        return MASK
    return pair if key in _PLAIN_VALUES and _VALUE.fullmatch(value) else f"{key}={MASK}"
