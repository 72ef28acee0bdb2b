//! Which key, header, flag and parameter names are names of credentials.

/// How sure a name makes us.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Suspicion {
    /// Everything under the name is masked, whole mappings and lists too.
    Strong,
    /// Only a scalar under the name is masked: `auth: {…}` is a section, `auth: x` is not.
    Weak,
}

/// Anywhere in a name that was reduced to its letters and digits.
const STRONG: &[&str] = &[
    "authorization",
    "apikey",
    "token",
    "secret",
    "password",
    "passwd",
    "passphrase",
    "passcode",
    "credential",
    "cookie",
    "private",
    "bearer",
    "accesskey",
];

/// The whole of a reduced name.
const WEAK: &[&str] = &["pass", "pwd", "auth", "jwt", "pat", "psk", "otp", "pw", "sig", "signature"];

/// The whole of a reduced name in a URL's query.
const IN_QUERY: &[&str] = &["key", "code", "access", "session", "sid"];

/// What `name` says about the value behind it.
pub(super) fn suspicion(name: &str) -> Option<Suspicion> {
    let name = reduced(name);
    let ends_in_key = name.len() > "key".len() && name.ends_with("key") && name != "publickey";
    if ends_in_key || STRONG.iter().any(|word| name.contains(word)) {
        return Some(Suspicion::Strong);
    }
    WEAK.contains(&&*name).then_some(Suspicion::Weak)
}

/// Whether a URL's query parameter of this name carries a credential.
pub(super) fn in_query(name: &str) -> bool {
    suspicion(name).is_some() || IN_QUERY.contains(&&*reduced(name))
}

/// Whether a whole number under this name is an amount: `max_tokens`, not `token`.
pub(super) fn counts(name: &str) -> bool {
    reduced(name).contains("tokens")
}

/// Whether the name is that of the second half of a `{name: …, value: …}` pair.
pub(super) fn is_value(name: &str) -> bool {
    reduced(name) == "value"
}

/// The letters and digits of a name in lower case, escapes decoded.
fn reduced(name: &str) -> String {
    let mut reduced = String::with_capacity(name.len());
    let mut rest = name;
    while let Some(c) = rest.chars().next() {
        rest = &rest[c.len_utf8()..];
        let digits = match (c, rest.as_bytes().first()) {
            ('\\', Some(b'x')) => 2,
            ('\\', Some(b'u')) => 4,
            ('\\', Some(b'U')) => 8,
            ('%', _) => 2,
            _ => 0,
        };
        let from = usize::from(c == '\\');
        let escaped = rest.get(from..from + digits).filter(|_| digits > 0);
        let decoded = escaped.and_then(|digits| char::from_u32(u32::from_str_radix(digits, 16).ok()?));
        if decoded.is_some() {
            rest = &rest[from + digits..];
        }
        let c = decoded.unwrap_or(c);
        reduced.extend(c.to_lowercase().filter(|c| c.is_alphanumeric()));
    }
    reduced
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_credentials() {
        for name in [
            "Authorization",
            "api_key",
            "API-KEY",
            "apiKey",
            "botToken",
            "X-Api-Key",
            "my secret",
            "PASSWORD",
        ] {
            assert_eq!(suspicion(name), Some(Suspicion::Strong), "{name}");
        }
        for name in
            ["\\u0074oken", "\\x73ecret", "\\U00000070assword", "pass%77ord", "OPENAI_KEY", "privateKey"]
        {
            assert_eq!(suspicion(name), Some(Suspicion::Strong), "{name}");
        }
        assert_eq!(suspicion("auth"), Some(Suspicion::Weak));
        for name in ["url", "command", "transport", "mode", "keyboard", "model", "publicKey", "key", "author"]
        {
            assert_eq!(suspicion(name), None, "{name}");
        }
        assert!(in_query("key") && in_query("access_token") && !in_query("page"));
        assert!(counts("max_tokens") && !counts("token"));
        assert!(is_value("\"value\"") && !is_value("values"));
    }
}
