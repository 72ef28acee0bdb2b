//! What a scalar is to PyYAML's safe loader: YAML 1.1 resolution, and whether a constructor accepts the text.
//!
//! Follows `yaml/resolver.py` and `yaml/constructor.py` of PyYAML 6: `yes`, `off` are booleans and `y`, `n`
//! are not; `017`, `0b1`, `0x1f`, `1_000`, `12:30:45` are integers and `0o17` is none; `1e3` is a string.

use super::events::{Style, Tag};

/// A scalar as the host holds it.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Resolved {
    Null,
    Bool(bool),
    Int(i64),
    /// A fraction, an infinity, or an integer past 64 bits.
    Float(f64),
    Str,
    /// A date, a time, bytes.
    Other,
    /// `<<`, which is a merge key as a key and unreadable as a value.
    Merge,
    /// `=`, which is a string as a key and unreadable as a value.
    Default,
    /// PyYAML has no constructor for it, or the constructor raises.
    Unreadable,
}

/// Resolves a scalar by its tag, style and text.
pub(super) fn resolve(tag: Tag, style: Style, text: &str, implied: bool) -> Resolved {
    match tag {
        Tag::None if implied => Resolved::Null,
        Tag::None if style == Style::Plain => resolve_plain(text),
        // PyYAML resolves what carries a lone `!` as if it were bare, whatever its quotes.
        Tag::NonSpecific if !implied => match resolve_plain(text.trim_end_matches('\n')) {
            Resolved::Str => Resolved::Str,
            // Its patterns take a line break at the end, its constructors mostly do not.
            _ if text.ends_with('\n') => Resolved::Unreadable,
            resolved => resolved,
        },
        Tag::None | Tag::NonSpecific | Tag::Str => Resolved::Str,
        Tag::Null => Resolved::Null,
        Tag::Bool => bool_of(&text.to_lowercase()).map_or(Resolved::Unreadable, Resolved::Bool),
        Tag::Int => integer(text).unwrap_or(Resolved::Unreadable),
        Tag::Float => match float(text) {
            Some(number) => Resolved::Float(number),
            None => text.parse().map_or(Resolved::Unreadable, Resolved::Float),
        },
        Tag::Binary => Resolved::Other,
        Tag::Timestamp => timestamp(text).unwrap_or(Resolved::Unreadable),
        Tag::Merge => Resolved::Merge,
        Tag::Seq | Tag::Map | Tag::Set | Tag::Ordered | Tag::Custom => Resolved::Unreadable,
    }
}

/// Resolves a plain scalar without a tag.
pub(super) fn resolve_plain(text: &str) -> Resolved {
    let Some(first) = text.bytes().next() else { return Resolved::Null };
    match first {
        b'~' | b'n' | b'N' if matches!(text, "~" | "null" | "Null" | "NULL") => Resolved::Null,
        b'y' | b'Y' | b'n' | b'N' | b't' | b'T' | b'f' | b'F' | b'o' | b'O' => {
            plain_bool(text).map_or(Resolved::Str, Resolved::Bool)
        }
        b'<' if text == "<<" => Resolved::Merge,
        b'=' if text == "=" => Resolved::Default,
        b'-' | b'+' | b'.' | b'0'..=b'9' => number(text),
        _ => Resolved::Str,
    }
}

/// Whether a plain scalar of this text could be anything but a string, in YAML 1.1 or in the core schema of
/// YAML 1.2, to some reader.
pub(super) fn is_ambiguous(text: &str) -> bool {
    let lower = text.to_ascii_lowercase();
    let word = matches!(
        lower.as_str(),
        "" | "~" | "null" | "true" | "false" | "yes" | "no" | "on" | "off" | "y" | "n" | "<<" | "="
    );
    let unsigned = lower.trim_start_matches(['-', '+']);
    word || unsigned.starts_with('.') || unsigned.starts_with(|c: char| c.is_ascii_digit())
}

/// A boolean needs one spelling throughout: `True`, `TRUE`, `true`, but not `tRUE`.
fn plain_bool(text: &str) -> Option<bool> {
    let lower = text.to_ascii_lowercase();
    let rest_is = |test: fn(&u8) -> bool| text.bytes().skip(1).all(|byte| test(&byte));
    let capital = text.starts_with(|c: char| c.is_ascii_uppercase());
    (rest_is(u8::is_ascii_lowercase) || (capital && rest_is(u8::is_ascii_uppercase)))
        .then(|| bool_of(&lower))
        .flatten()
}

fn bool_of(lower: &str) -> Option<bool> {
    match lower {
        "yes" | "true" | "on" => Some(true),
        "no" | "false" | "off" => Some(false),
        _ => None,
    }
}

/// The resolvers in PyYAML's order: float, int, timestamp.
fn number(text: &str) -> Resolved {
    if let Some(number) = float(text) {
        return Resolved::Float(number);
    }
    integer(text).or_else(|| timestamp(text)).unwrap_or(Resolved::Str)
}

fn all(text: &str, test: impl Fn(u8) -> bool) -> bool {
    text.bytes().all(test)
}

fn digit_or_underscore(byte: u8) -> bool {
    byte.is_ascii_digit() || byte == b'_'
}

/// `:` and one or two digits below 60, once or more.
fn is_sexagesimal_tail(text: &str) -> bool {
    let Some(rest) = text.strip_prefix(':') else { return false };
    rest.split(':').all(|part| match part.as_bytes() {
        [unit] => unit.is_ascii_digit(),
        [ten, unit] => (b'0'..=b'5').contains(ten) && unit.is_ascii_digit(),
        _ => false,
    })
}

fn float(text: &str) -> Option<f64> {
    let (negative, body) = match text.as_bytes().first()? {
        b'-' => (true, &text[1..]),
        b'+' => (false, &text[1..]),
        _ => (false, text),
    };
    let signed = |number: f64| Some(if negative { -number } else { number });
    match body {
        ".inf" | ".Inf" | ".INF" => return signed(f64::INFINITY),
        ".nan" | ".NaN" | ".NAN" if body.len() == text.len() => return Some(f64::NAN),
        _ => {}
    }
    let (whole, fraction) = body.split_once('.')?;
    let plain_digits = |text: &str| text.chars().filter(|c| *c != '_').collect::<String>();
    if let Some(colon) = whole.find(':') {
        let (first, tail) = whole.split_at(colon);
        let fits = first.starts_with(|c: char| c.is_ascii_digit())
            && all(first, digit_or_underscore)
            && is_sexagesimal_tail(tail)
            && all(fraction, digit_or_underscore);
        let parts = plain_digits(body);
        return fits.then(|| {
            let sum = parts.split(':').fold(0.0, |sum, part| sum * 60.0 + part.parse().unwrap_or(0.0));
            if negative { -sum } else { sum }
        });
    }
    let (digits, exponent) = match fraction.find(['e', 'E']) {
        Some(at) => (&fraction[..at], Some(&fraction[at + 1..])),
        None => (fraction, None),
    };
    let exponent_fits = exponent.is_none_or(|exponent| {
        let digits = exponent.strip_prefix(['-', '+']).unwrap_or_default();
        !digits.is_empty() && all(digits, |byte| byte.is_ascii_digit())
    });
    let whole_fits = if whole.is_empty() {
        body.len() == text.len() && digits.starts_with(|c: char| c.is_ascii_digit())
    } else {
        whole.starts_with(|c: char| c.is_ascii_digit()) && all(whole, digit_or_underscore)
    };
    if !whole_fits || !exponent_fits || !all(digits, digit_or_underscore) {
        return None;
    }
    plain_digits(body).parse().ok().and_then(signed)
}

/// Python refuses to convert decimal texts longer than this.
const DECIMAL_DIGITS: usize = 4300;

fn integer(text: &str) -> Option<Resolved> {
    let (negative, body) = match text.as_bytes().first()? {
        b'-' => (true, &text[1..]),
        b'+' => (false, &text[1..]),
        _ => (false, text),
    };
    let (radix, digits) = if let Some(digits) = body.strip_prefix("0b") {
        (2, all(digits, |byte| matches!(byte, b'0' | b'1' | b'_')).then_some(digits)?)
    } else if let Some(digits) = body.strip_prefix("0x") {
        (16, all(digits, |byte| byte.is_ascii_hexdigit() || byte == b'_').then_some(digits)?)
    } else if let Some(digits) = body.strip_prefix('0').filter(|digits| !digits.is_empty()) {
        (8, all(digits, |byte| matches!(byte, b'0'..=b'7' | b'_')).then_some(digits)?)
    } else if body == "0" {
        return Some(Resolved::Int(0));
    } else if !body.starts_with(|c: char| c.is_ascii_digit()) {
        return None;
    } else if let Some(colon) = body.find(':') {
        let (first, tail) = body.split_at(colon);
        return (all(first, digit_or_underscore) && is_sexagesimal_tail(tail))
            .then(|| digits_of(&body.replace('_', ""), 60, negative));
    } else {
        (10, all(body, digit_or_underscore).then_some(body)?)
    };
    if digits.is_empty() {
        return None;
    }
    let digits = digits.replace('_', "");
    if digits.is_empty() {
        // `0_` is octal nothing, which Python reads as zero; `0b_` and `0x_` raise.
        return Some(if radix == 8 { Resolved::Int(0) } else { Resolved::Unreadable });
    }
    if radix == 10 && digits.len() > DECIMAL_DIGITS {
        return Some(Resolved::Unreadable);
    }
    Some(digits_of(&digits, radix, negative))
}

/// The number of checked digits; parts of base 60 are separated by colons.
fn digits_of(digits: &str, radix: u32, negative: bool) -> Resolved {
    let parts: Vec<Option<u32>> = if radix == 60 {
        digits.split(':').map(|part| part.parse().ok()).collect()
    } else {
        digits.chars().map(|c| c.to_digit(radix)).collect()
    };
    let exact = parts.iter().try_fold(0_i64, |sum, part| {
        let part = i64::from((*part)?);
        let shifted = sum.checked_mul(i64::from(radix))?;
        if negative { shifted.checked_sub(part) } else { shifted.checked_add(part) }
    });
    if let Some(number) = exact {
        return Resolved::Int(number);
    }
    let rough = if radix == 10 {
        digits.parse().unwrap_or(f64::INFINITY)
    } else {
        let step =
            |sum: f64, part: &Option<u32>| sum * f64::from(radix) + part.map_or(f64::INFINITY, f64::from);
        parts.iter().fold(0.0, step)
    };
    Resolved::Float(if negative { -rough } else { rough })
}

/// Reads `from..=to` digits off the front.
fn digits(text: &mut &str, from: usize, to: usize) -> Option<u32> {
    let count = text.bytes().take(to).take_while(u8::is_ascii_digit).count();
    let (number, rest) = text.split_at(count);
    *text = rest;
    (count >= from).then(|| number.parse().ok()).flatten()
}

fn take(text: &mut &str, expected: char) -> Option<()> {
    *text = text.strip_prefix(expected)?;
    Some(())
}

/// `None` where the text is no timestamp; unreadable where Python's `datetime` refuses the numbers.
fn timestamp(text: &str) -> Option<Resolved> {
    let mut rest = text;
    let year = digits(&mut rest, 4, 4)?;
    take(&mut rest, '-')?;
    let month_at = rest;
    let month = digits(&mut rest, 1, 2)?;
    let month_digits = month_at.len() - rest.len();
    take(&mut rest, '-')?;
    let day_at = rest;
    let day = digits(&mut rest, 1, 2)?;
    let short = month_digits == 2 && day_at.len() - rest.len() == 2;
    let mut valid = (1..=9999).contains(&year) && (1..=days_in(year, month)).contains(&day);
    if rest.is_empty() {
        return short.then(|| checked(valid));
    }
    let after_t = rest.strip_prefix(['T', 't']);
    let after_blanks = rest.trim_start_matches([' ', '\t']);
    rest = after_t.or_else(|| (after_blanks.len() < rest.len()).then_some(after_blanks))?;
    let hour = digits(&mut rest, 1, 2)?;
    take(&mut rest, ':')?;
    let minute = digits(&mut rest, 2, 2)?;
    take(&mut rest, ':')?;
    let second = digits(&mut rest, 2, 2)?;
    valid &= hour < 24 && minute < 60 && second < 60;
    if let Some(fraction) = rest.strip_prefix('.') {
        rest = fraction.trim_start_matches(|c: char| c.is_ascii_digit());
    }
    if rest.is_empty() {
        return Some(checked(valid));
    }
    rest = rest.trim_start_matches([' ', '\t']);
    if rest == "Z" {
        return Some(checked(valid));
    }
    rest = rest.strip_prefix(['-', '+'])?;
    let zone_hour = digits(&mut rest, 1, 2)?;
    let mut zone_minute = 0;
    if !rest.is_empty() {
        take(&mut rest, ':')?;
        zone_minute = digits(&mut rest, 2, 2)?;
    }
    valid &= zone_hour * 60 + zone_minute < 24 * 60;
    rest.is_empty().then(|| checked(valid))
}

fn checked(valid: bool) -> Resolved {
    if valid { Resolved::Other } else { Resolved::Unreadable }
}

fn days_in(year: u32, month: u32) -> u32 {
    let leap = year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400));
    match month {
        2 if leap => 29,
        2 => 28,
        4 | 6 | 9 | 11 => 30,
        1 | 3 | 5 | 7 | 8 | 10 | 12 => 31,
        _ => 0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn reads(text: &str, expected: Resolved) {
        assert_eq!(resolve_plain(text), expected, "{text:?}");
    }

    #[test]
    fn booleans_are_words_in_one_spelling() {
        for text in ["yes", "Yes", "YES", "on", "On", "ON", "true", "True", "TRUE"] {
            reads(text, Resolved::Bool(true));
        }
        for text in ["no", "No", "NO", "off", "Off", "OFF", "false", "False", "FALSE"] {
            reads(text, Resolved::Bool(false));
        }
        for text in ["y", "n", "Y", "N", "tRUE", "oN", "yEs", "nO", "trueish", "yes "] {
            reads(text, Resolved::Str);
        }
    }

    #[test]
    fn nulls() {
        for text in ["", "~", "null", "Null", "NULL"] {
            reads(text, Resolved::Null);
        }
        reads("nULL", Resolved::Str);
        reads("~x", Resolved::Str);
    }

    #[test]
    fn integers_of_all_bases() {
        for (text, number) in [
            ("180", 180),
            ("-5", -5),
            ("+0", 0),
            ("017", 15),
            ("-017", -15),
            ("0_", 0),
            ("00", 0),
            ("0b101", 5),
            ("0xB_4", 180),
            ("1_000", 1000),
            ("1_", 1),
            ("12:30:45", 45045),
            ("1_0:30", 630),
            ("9223372036854775807", i64::MAX),
            ("-9223372036854775808", i64::MIN),
        ] {
            reads(text, Resolved::Int(number));
        }
        reads("9223372036854775808", Resolved::Float(9_223_372_036_854_775_808.0));
        for text in ["0o17", "0x", "-0b", "08", "1:60", "1:2:", "1e3", "0x1g", "-", "+", "-_1", "1-2"] {
            reads(text, Resolved::Str);
        }
        reads("0x_", Resolved::Unreadable);
        reads("0b_", Resolved::Unreadable);
        reads(&"1".repeat(4301), Resolved::Unreadable);
    }

    #[test]
    fn floats_need_a_point() {
        for (text, number) in [
            ("1.5", 1.5),
            ("1.", 1.0),
            (".5", 0.5),
            ("-1.5e+3", -1500.0),
            ("1_0.5_0", 10.5),
            ("1:30.5", 90.5),
            (".inf", f64::INFINITY),
            ("-.INF", f64::NEG_INFINITY),
        ] {
            reads(text, Resolved::Float(number));
        }
        assert!(matches!(resolve_plain(".nan"), Resolved::Float(number) if number.is_nan()));
        for text in ["1e3", "1.5e3", "-.5", "._5", ".", "+.nan", "1.2.3", ".iNF"] {
            reads(text, Resolved::Str);
        }
    }

    #[test]
    fn dates_are_checked_as_python_does() {
        for text in ["2026-11-30", "2024-02-29", "2026-1-2 3:04:05.5 +1:30", "2026-11-30t01:02:03Z"] {
            reads(text, Resolved::Other);
        }
        for text in ["2026-1-2", "2026-11-30T1:2:03", "2026-11-30 01:02", "20261130-1"] {
            reads(text, Resolved::Str);
        }
        for text in ["2026-13-01", "2025-02-29", "0000-01-01", "2026-11-30 24:00:00"] {
            reads(text, Resolved::Unreadable);
        }
    }

    #[test]
    fn tags_decide_before_the_text() {
        assert_eq!(resolve(Tag::Str, Style::Plain, "180", false), Resolved::Str);
        assert_eq!(resolve(Tag::NonSpecific, Style::Plain, "off", false), Resolved::Bool(false));
        assert_eq!(resolve(Tag::NonSpecific, Style::Double, "1.5", false), Resolved::Float(1.5));
        assert_eq!(resolve(Tag::NonSpecific, Style::Single, "a b", false), Resolved::Str);
        assert_eq!(resolve(Tag::NonSpecific, Style::Plain, "", true), Resolved::Str);
        assert_eq!(resolve(Tag::NonSpecific, Style::Single, "", false), Resolved::Null);
        assert_eq!(resolve(Tag::NonSpecific, Style::Literal, "yes\n", false), Resolved::Unreadable);
        assert_eq!(resolve(Tag::Int, Style::Double, "0x10", false), Resolved::Int(16));
        assert_eq!(resolve(Tag::Int, Style::Plain, "x", false), Resolved::Unreadable);
        assert_eq!(resolve(Tag::None, Style::Double, "180", false), Resolved::Str);
    }

    #[test]
    fn ambiguous_words_are_those_of_both_versions() {
        for text in ["y", "No", "0o17", "1e3", "-.5", "=", "", "NULL", "+1"] {
            assert!(is_ambiguous(text), "{text}");
        }
        for text in ["streamable-http", "yesterday", "x1"] {
            assert!(!is_ambiguous(text), "{text}");
        }
    }
}
