"""Texts that readers of texts have stumbled over elsewhere: hypothesis strategies for such strings.

    @given(naughty())
    def test_a_reader_never_raises(text: str) -> None: ...

Numbers that no integer or float holds, words that `float` reads, digits of other scripts, letters
that a pattern matches whatever their case, dates and times that do not exist, invisible and
combining characters, controls, and fragments of other languages. None comes from a published list.
"""

from __future__ import annotations

from hypothesis import strategies as st

NUMBERS = (
    "9" * 309,  # no float
    "9" * 4301,  # no int: `sys.int_info.default_max_str_digits`
    "0" * 5000,
    f"-{'7' * 400}",
    f"1{',000' * 120}",
    f"{'3' * 310}.5",
    f"0.{'3' * 400}",
    *("1e400", "1e-400", "10^400", "1E+999999999", "1_000", "0x1F", "0b101", "1.2.3", "--5"),
    *("NaN", "nan", "inf", "-Infinity", "+0", "-0", "−5", "5-", "$-3", "3$$", "1/0", "½", "7½"),
)

DIGITS = (
    *("²", "x²", "٣", "٣٠", "①", "Ⅷ", "१२", "𝟗", "０９", "〇", "十二", "໑໒", "¹²³", "₄"),
    "𝟗" * 309,
    "٣" * 4301,
    *("٣:٣٠", "٣ pm", "٢٠٢١-٠٥-٠٣", "٣/٥/٢٠٢١", "²nd", "③ May", "at ②", "for ٤ people"),
)

MOMENTS = (
    *("31/02/0000", "99:99", "24:60", "25:00", "24:00", "0:00 pm", "13 pm", "12:00:00", "7.30"),
    *("2021-02-30", "0000-00-00", "0000-01-01", "9999-12-31", "10000-01-01", "--02-30", "--99-99"),
    *("29 February 1900", "the 32nd of May", "the 0th", "30th of February", "May 3rd 0000"),
    *("3 May 99999", "31/12/9999", "the 999999999999th", "half past", "quarter to one am pm"),
)

FOLDED = (
    *("ſix", "at ſix", "ſeven pm", "5 aM", "half paſt ſix", "the firſt of May", "3 ſeptember"),
    *("augu\ufb06 3", "mıdnıght", "MİDNİGHT", "nıne o'clock", "3 Aprıl", "ſo", "Yeſ", "oKay"),
    *("ß", "ŉ", "ǰ", "ΐ", "ﬃ", "Ǆ", "ς", "İstanbul", "ıſKß" * 40),
)
"""Letters whose upper or lower case is another letter: patterns that ignore case match them."""

INVISIBLE = (
    *("\u200b", "a\u200bb", "\u200d", "\ufeff5", "5\ufe0f\u20e3", "\u2060", "\u00ad", "\u034f"),
    *("\u202e5 pm\u202c", "\u200f٣\u200e", "\u2066x\u2069", "x\u2028y", "x\u2029y", "x\u0085y"),
    *("e\u0301" * 50, "Z" + "\u0351" * 200, "\u0301", "1\u0301", "\u1100\u1161\u11a8", "\u3164"),
    *("\ud7ff\ue000", "\ufffe", "\uffff", "\U0010ffff", "\U000e0041", "\ufffd"),
)

CONTROLS = (
    *("\x00", "a\x00b", "\x1b[31m", "\x07", "\x7f", "\x08" * 9, "\r", "\r\n", "a\rb", "a\r\nb"),
    *("\t", "\n", "\v\f", " " * 500, "\x1c1\x1d2", "\x9b5"),
)

EMOJI = (
    "👩‍👩‍👧‍👦",
    "🇩🇪🇩",
    "👍🏽",
    "🏴\U000e0067\U000e0062\U000e007f",
    "5️⃣",
    "😀" * 200,
    "😀 5 pm 😀",
)

FRAGMENTS = (
    *("%s%s%n", "%d", "{}", "{0.__class__}", "{slot}", "{guests:d}", "[NAME]", "$(id)", "${x}"),
    *("'; DROP TABLE record;--", '" OR 1=1', "\\", "\\u0000", "\\d{1,99}", "(((((", "[", "a{9,1}"),
    *("../../../x", "C:\\NUL", "file:///x", "<b>&amp;</b>", "<!--", "]]>", "<svg/onload=x>"),
    *(
        '{"a": [',
        "null",
        "None",
        "true",
        "undefined",
        "__proto__",
        "constructor",
        "#VALUE!",
        "=1+1",
    ),
)

LONG = ("a" * 5000, "1 " * 2500, "yes no " * 300, "A" * 300 + " B", "," * 2000, "five " * 400)

STRINGS = (
    *NUMBERS,
    *DIGITS,
    *MOMENTS,
    *FOLDED,
    *INVISIBLE,
    *CONTROLS,
    *EMOJI,
    *FRAGMENTS,
    *LONG,
    "",
    " ",
)
"""Every string of this module."""

SETTINGS = ("{}", "at {} pm", "for {} people", "on the {} of May", "my name is {}.", "{}, please")
"""Sentences that readers look into for the string."""


def naughty() -> st.SearchStrategy[str]:
    """Draw one of the strings, alone, doubled or in a sentence, or several joined, or any text."""
    one = st.sampled_from(STRINGS)
    line = st.builds(lambda frame, text: frame.replace("{}", text), st.sampled_from(SETTINGS), one)
    joined = st.lists(one | st.text(max_size=12), max_size=4).map(" ".join)
    return one | line | joined | st.text(max_size=80)
