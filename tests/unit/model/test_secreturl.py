"""A URL's secret is in no text of it, whatever its form; who connects gets the real one."""

from __future__ import annotations

import copy
import json
import logging
import pickle
import string
from dataclasses import asdict
from urllib.parse import quote

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from pytest_ascend_tune.model.secreturl import MASK, SecretUrl, hide_urls, mask
from pytest_ascend_tune.options.settings import Settings, resolve

QUICK = settings(max_examples=200, deadline=None)
# Signs that no place of a URL shows: where one of these secrets comes through, it is the secret's own text.
SECRETS = st.text(string.ascii_letters + string.digits + ":/@?&=#%;,. '\"\\\n~$äß密", min_size=1, max_size=20).map(
    lambda text: f"S3{text}cr3t"
)
FORMS = (
    "postgresql://{}@host/db",
    "postgresql://user:{}@host/db",
    "postgresql://:{}@host:5432/db",
    "postgresql+psycopg://user:{}@[::1]:5432/db?sslmode=require",
    "postgresql://user:{}@host:notaport/db",
    "postgresql://user:{}@/db?host=/tmp",
    "postgresql://user:{}@h o s t/db",
    "postgresql:///user:{}@host/db",
    "postgresql:/user:{}@host/db",
    "postgresql//user:{}@host/db",
    "postgres ql://user:{}@host/db",
    "://user:{}@host/db",
    "user:{}@host/db",
    "user:{}",
    "{}",
    "host=db password={}",
    "jdbc:postgresql://host/db?user=me&password={}",
    "postgresql://host/db?user=me&password={}",
    "postgresql://host/db?token={}&sslmode=require",
    "postgresql://host/db?sslpassword={}",
    "postgresql://host/db?{}",
    "postgresql://host/db?{}=1",
    "postgresql://host/db?pass%77ord={}",
    "postgresql://host/db?options=-c%20x={}",
    "postgresql://host/db#{}",
    "postgresql://host/db?mode=ro#access_token={}",
    "postgresql://host/db;password={}",
    "postgresql://host/db&password={}",
    "sqlite:///history.sqlite?password={}",
    "sqlite:///user:{}@host/db",
    "sqlite+pysqlcipher://:{}@/history.sqlite",
    "sqlite://user:{}@host",
    "ray://user:{}@head:10001",
    "ray://head:10001?token={}",
    "RAY://user:{}@head:10001",
    "mssql+pyodbc://user:{}@host/db?driver=ODBC+Driver+17",
)
CONVERSIONS = (
    str,
    repr,
    lambda url: f"{url} {url!r} {url!s} {url!a} {url:>300}",
    lambda url: "{} {!r}".format(url, [url]),  # noqa: UP032
    lambda url: "%s %r" % (url, (url,)),  # noqa: UP031 - one more way to text
    lambda url: json.dumps({"url": url}, default=str, ensure_ascii=False),
    lambda url: logging.LogRecord("x", 0, "x", 0, "%s", (url,), None).getMessage(),
    lambda url: str(asdict(Settings(history=url, executor=url))),
    lambda url: " ".join(Settings(history=url, executor=url, from_command_line={"history", "executor"}).options()),
    lambda url: repr(Settings(history=url, executor=url)),
)


def spellings(secret):
    """How a secret may stand in a text."""
    forms = {secret, quote(secret, safe=""), quote(secret), repr(secret)[1:-1], ascii(secret)[1:-1]}
    return {*forms, json.dumps(secret, ensure_ascii=False)[1:-1]}


@pytest.mark.parametrize("form", FORMS)
@given(secret=SECRETS, encoded=st.booleans())
@settings(max_examples=25, deadline=None)
def test_no_text_of_a_url_holds_its_secret(form, secret, encoded):
    url = SecretUrl(form.format(quote(secret, safe="") if encoded else secret))
    for convert in CONVERSIONS:
        shown = convert(url)
        assert not [form for form in spellings(secret) if form in shown]
        assert "S3" not in shown, "not a part of it either"
        assert "cr3t" not in shown
    assert mask(str(url)) == str(url), "masking twice changes nothing"


@pytest.mark.parametrize("form", FORMS)
@given(secret=SECRETS, encoded=st.booleans(), said=st.sampled_from(["{}", "bad '{}'", "{}: no such host", "x{}y"]))
@settings(max_examples=25, deadline=None)
def test_what_a_driver_says_of_it_does_not_either(form, secret, encoded, said):
    url = SecretUrl(form.format(quote(secret, safe="") if encoded else secret))
    for told in (url.reveal(), secret, quote(secret, safe=""), repr(secret)):
        hidden = url.hide_in(said.format(told))
        assert not [form for form in spellings(secret) if form in hidden]


@QUICK
@given(st.sampled_from([form for form in FORMS if "://" in form and " " not in form]), SECRETS)
def test_urls_in_a_text_are_masked(form, secret):
    assume(not any(char.isspace() for char in secret))
    text = hide_urls(f"cannot read '{form.format(secret)}' and go on")
    if form.startswith("://"):
        return
    doubtful = "@" in form.format(secret) or "=" in form.format(secret)
    assert (secret not in text) if doubtful else text.count(secret) == 1
    assert text.startswith("cannot read '")


@QUICK
@given(st.text(st.characters(exclude_categories=())))
def test_any_text_can_be_masked(text):
    assert mask(mask(text)) == mask(text)
    assert hide_urls(hide_urls(text)) == hide_urls(text)
    assert SecretUrl(text).hide_in("") == ""


@pytest.mark.parametrize(
    ("url", "shown"),
    [
        ("sqlite:////home/me/job@2/büro [x]/history.sqlite", None),
        ("postgresql://host:5432/ci_history", None),
        ("postgresql://me:pw@host:5432/db", "postgresql://***@host:5432/db"),
        ("postgresql://me@host/db?sslmode=require&password=x", "postgresql://***@host/db?sslmode=require&password=***"),
        ("postgresql://me:pw@host:notaport/db", "postgresql://***@***/db"),
        ("postgresql://me:pw", "postgresql://***"),
        ("sqlite:///file:x?uri=true&token=y", "sqlite:///***?uri=true&token=***"),
        ("ray://head:10001", None),
        ("ray://me:pw@10.0.0.1:10001", "ray://***@10.0.0.1:10001"),
        ("history.sqlite", MASK),
    ],
)
def test_what_is_no_secret_stays(url, shown):
    assert str(SecretUrl(url)) == (shown or url)


def test_long_texts_are_masked_in_linear_time():
    for text in ("a" * 300_000, "a:/" * 100_000, "a://" * 100_000, " x:/" * 100_000):
        hide_urls(text)


def test_who_connects_gets_the_real_one():
    url = SecretUrl("ray://me:S3cr3t@head:10001")
    for twin in (url, copy.deepcopy(url), pickle.loads(pickle.dumps(url))):
        assert twin.reveal() == "ray://me:S3cr3t@head:10001"
        assert twin == url
        assert hash(twin) == hash(url)
    assert url != "ray://me:S3cr3t@head:10001"
    settings = pickle.loads(pickle.dumps(resolve({"executor": url.reveal(), "history": url.reveal()}, {})))
    assert settings.executor == settings.history == url
    with pytest.raises(TypeError):
        json.dumps(url)
