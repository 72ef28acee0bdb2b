//! Finds credentials that show by their own shape: schemes, URLs, issuers' prefixes, private keys, long
//! opaque runs.

use std::ops::Range;

use super::reference;

/// Prefixes that issuers put before their tokens, and how many characters must follow at least.
const PREFIXES: &[(&str, usize)] = &[
    ("sk-", 8),
    ("sk_", 8),
    ("rk_", 8),
    ("pk_", 8),
    ("ghp_", 4),
    ("gho_", 4),
    ("ghu_", 4),
    ("ghs_", 4),
    ("ghr_", 4),
    ("github_pat_", 4),
    ("glpat-", 4),
    ("xoxa-", 4),
    ("xoxb-", 4),
    ("xoxp-", 4),
    ("xoxr-", 4),
    ("xoxs-", 4),
    ("xoxe-", 4),
    ("xapp-", 4),
    ("AKIA", 12),
    ("ASIA", 12),
    ("AIza", 10),
    ("ya29.", 4),
    ("eyJ", 8),
    ("gsk_", 8),
    ("tvly-", 6),
    ("pplx-", 8),
    ("dop_v1_", 4),
    ("whsec_", 4),
    ("SG.", 8),
];

/// The shortest run that may be an opaque token.
const OPAQUE: usize = 20;

/// How far into a URL a password is looked for, bytes.
const AUTHORITY_BYTES: usize = 1024;

/// Adds every range that looks like a credential.
pub(super) fn find(text: &str, found: &mut Vec<Range<usize>>) {
    schemes(text, found);
    user_info(text, found);
    private_keys(text, found);
    for run in runs(text) {
        if let Some(start) = prefixed(text, &run) {
            let dotted =
                text[run.end..].find(|c: char| !is_token(c) && c != '.').unwrap_or(text.len() - run.end);
            found.push(start..run.end + dotted);
        }
        if is_opaque(&text[run.clone()]) {
            found.push(run);
        }
    }
}

fn is_token(c: char) -> bool {
    c.is_ascii_alphanumeric() || matches!(c, '_' | '+' | '/' | '=' | '-')
}

/// The runs of token characters, outside of references.
fn runs(text: &str) -> impl Iterator<Item = Range<usize>> {
    let mut at = 0;
    std::iter::from_fn(move || {
        while let Some(c) = text[at..].chars().next() {
            if let Some(length) = reference(&text[at..]) {
                at += length;
            } else if is_token(c) {
                let start = at;
                at += text[at..].find(|c: char| !is_token(c)).unwrap_or(text.len() - at);
                return Some(start..at);
            } else {
                at += c.len_utf8();
            }
        }
        None
    })
}

/// `Bearer x` and `Basic x`.
fn schemes(text: &str, found: &mut Vec<Range<usize>>) {
    for (word, bearer) in [("bearer", true), ("basic", false)] {
        for at in occurrences(text, word) {
            let after = &text[at + word.len()..];
            let gap = ["%20", "\\u0020", "\\x20", "+", "\\t"].into_iter().find(|gap| after.starts_with(gap));
            let blanks = after.len() - after.trim_start_matches([' ', '\t', ':']).len();
            let gap = gap.map_or(blanks, str::len);
            if gap == 0 {
                continue;
            }
            let value = &after[gap..];
            let ends = |c: char| c.is_whitespace() || matches!(c, '"' | '\'' | '`');
            let length = value.find(ends).unwrap_or(value.len());
            // In prose "basic" is a word like any other; its credentials are Base64 and look it.
            let prose = !bearer
                && length < 16
                && value[..length].chars().all(|c| !c.is_ascii_digit() && !c.is_uppercase());
            if reference(value) != Some(length) && !prose {
                let start = at + word.len() + gap;
                found.push(start..start + length);
            }
        }
    }
}

/// Where `word` (lower case) stands in any case, as a word of its own.
fn occurrences<'t>(text: &'t str, word: &'t str) -> impl Iterator<Item = usize> + 't {
    let first = word.as_bytes().first().copied().unwrap_or_default();
    let starts = text.bytes().enumerate().filter(move |(_, byte)| byte.eq_ignore_ascii_case(&first));
    starts.map(|(at, _)| at).filter(move |at| {
        let fits = text
            .as_bytes()
            .get(*at..at + word.len())
            .is_some_and(|own| own.eq_ignore_ascii_case(word.as_bytes()));
        fits && !text[..*at].ends_with(|c: char| c.is_alphanumeric())
    })
}

/// `user:password@` of URLs.
fn user_info(text: &str, found: &mut Vec<Range<usize>>) {
    for (at, _) in text.match_indices("://") {
        let start = at + "://".len();
        let rest = &text[start..text.floor_char_boundary(start + AUTHORITY_BYTES)];
        let end = rest
            .find(|c: char| c.is_whitespace() || matches!(c, '"' | '\'' | '`' | '<' | '>'))
            .unwrap_or(rest.len());
        let url = &rest[..end];
        let authority = url.find(['/', '?', '#']).unwrap_or(url.len());
        let port = url[..authority]
            .rsplit_once(':')
            .is_none_or(|(_, port)| port.bytes().all(|byte| byte.is_ascii_digit()));
        // A password with a slash in it ends the authority early; what follows the colon is no port then.
        let within = if port { authority } else { url.len() };
        if let Some(length) = url[..within].rfind('@') {
            found.push(start..start + length);
        }
    }
}

/// PEM private keys, on one line or many.
fn private_keys(text: &str, found: &mut Vec<Range<usize>>) {
    let mut at = 0;
    while let Some(begin) = text[at..].find("-----BEGIN ") {
        let start = at + begin + "-----BEGIN ".len();
        let end = text[start..].find("-----END").map_or(text.len(), |length| start + length);
        let label = text[start..end].find("-----").map_or(end, |length| start + length);
        if text[start..label].contains("PRIVATE") {
            found.push(label..end);
        }
        at = end;
    }
}

/// Where an issuer's token starts in a run.
fn prefixed(text: &str, run: &Range<usize>) -> Option<usize> {
    let own = &text[run.clone()];
    let starts = own.char_indices().filter(|(at, c)| {
        c.is_ascii_alphabetic() && !own[..*at].ends_with(|c: char| c.is_ascii_alphanumeric())
    });
    starts.map(|(at, _)| run.start + at).find(|start| {
        PREFIXES.iter().any(|(prefix, more)| {
            let Some(rest) = text[*start..].strip_prefix(prefix) else { return false };
            rest.bytes().take_while(|byte| is_token(char::from(*byte)) || *byte == b'.').take(*more).count()
                == *more
        })
    })
}

/// Whether a run is a long token without the structure of words.
fn is_opaque(run: &str) -> bool {
    let run = run.trim_matches(['/', '=', '+', '-', '_']);
    let digits = run.bytes().any(|byte| byte.is_ascii_digit());
    let letters = run.bytes().any(|byte| byte.is_ascii_alphabetic());
    let longest = run.split(['/', '=', '+', '-', '_']).map(str::len).max().unwrap_or(0);
    let suspect = run.len() >= OPAQUE && letters && (digits || longest >= 32);
    suspect && !is_wordy(run)
}

/// Whether all pieces of a run read like words, versions, sizes and dates, most of it like words.
fn is_wordy(run: &str) -> bool {
    let mut words = 0;
    let mut length = 0;
    for piece in run.split(['/', '=', '+', '-', '_']) {
        let Some(word) = word_length(piece) else { return false };
        words += word;
        length += piece.len();
    }
    words * 2 >= length
}

/// How much of a piece is a word; `None` for a piece that reads like nothing a person would name.
fn word_length(piece: &str) -> Option<usize> {
    let letters = piece.bytes().take_while(u8::is_ascii_alphabetic).count();
    let rest = &piece[letters..];
    let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
    let tail = &rest[digits..];
    let short_tail = tail.len() <= 2 && tail.bytes().all(|byte| byte.is_ascii_alphabetic());
    let date = letters == 0 && digits == 8 && (piece.starts_with("20") || piece.starts_with("19"));
    if digits > 4 && !(date && tail.is_empty()) || !short_tail || !(letters == 0 || tail.is_empty()) {
        return None;
    }
    match letters {
        0 => Some(if date { digits } else { 0 }),
        1..=2 => Some(0),
        3..=24 => reads_like_a_word(&piece[..letters]).then_some(letters),
        _ => None,
    }
}

/// Lower case, capitalised, upper case or camel case, with vowels where one expects them.
fn reads_like_a_word(letters: &str) -> bool {
    let upper = letters.bytes().filter(u8::is_ascii_uppercase).count();
    let humps = letters.bytes().skip(1).filter(u8::is_ascii_uppercase).count();
    let cased = upper == letters.len() || humps * 4 <= letters.len();
    let mut run = 0;
    let mut longest = 0;
    for byte in letters.bytes() {
        let vowel = matches!(byte.to_ascii_lowercase(), b'a' | b'e' | b'i' | b'o' | b'u' | b'y');
        run = if vowel { 0 } else { run + 1 };
        longest = longest.max(run);
    }
    cased && longest <= 5 && (letters.len() <= 5 || longest < letters.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_that_people_give_are_not_opaque() {
        for run in [
            "claude-sonnet-4-5-20250929",
            "modelcontextprotocol/server-filesystem",
            "Qwen2/Qwen2-72B-Instruct",
            "text-embedding-3-large",
            "deepseek-r1-0528-distill",
            "/home/node/openclaw/agents/main2/sessions",
            "/usr/lib/x86_64-linux-gnu/openssl",
            "gpt-4o-mini-2024-07-18-preview",
            "meta-llama/Llama-3",
            "streamable-http-transport",
        ] {
            assert!(!is_opaque(run), "{run}");
        }
    }

    #[test]
    fn random_runs_are_opaque() {
        for run in [
            "9f86d081884c7d659a2feaa0c55ad015",
            "hunter2hunter2hunter2x",
            "550e8400-e29b-41d4-a716-446655440000",
            "kJ8xQw9ZpLm2TtYvBb7c",
            "dXNlcjpwYXNzd29yZDEyMzQ1Ng==",
            "T00000000/B00000000/XXXXXXXXXXXXXXXXXXXXXXXX",
            "AbCdEfGhIjKlMnOpQrStUvWxYzAbCdEfGh",
            "canary-5309-canary-5309a8b7c6",
        ] {
            assert!(is_opaque(run), "{run}");
        }
    }
}
