//! What is hidden and what stays readable.

use super::*;

const CANARY: &str = "canary5309";

fn masked(text: &str) -> String {
    let mut out = String::new();
    let mut at = 0;
    for span in spans(text) {
        out.push_str(&text[at..span.start]);
        out.push('*');
        at = span.end;
    }
    out.push_str(&text[at..]);
    out
}

#[test]
fn no_spelling_of_a_named_secret_leaks() {
    let spellings = [
        "token: CANARY",
        "\"api_key\": \"CANARY\"",
        "'API-KEY' : 'CANARY',",
        "{apiKey:'CANARY',url:'http://x'}",
        "{\"a\":1,\"botToken\":\"CANARY\",\"b\":2}",
        "\"\\u0074oken\": \"CANARY\"",
        "password: \"a\\\"CANARY\"",
        "password: 'a''CANARY'",
        "password: 'a\\'CANARY'",
        "password: a,CANARY}x",
        "password: 1234,CANARY",
        "password: 12 CANARY",
        "password: \"x\"CANARY",
        "password: ${A}CANARY",
        "password: ${A:-CANARY}",
        "secret: |\n  CANARY\n  more",
        "secret: >-\n\n  a\n  CANARY\nnext: 1",
        "secret:\n  CANARY",
        "secret:\n# note\n  CANARY",
        "secret: # note\n  CANARY",
        "secret: a\n  b\n  CANARY",
        "secret: \"a\nCANARY\"",
        "secret: &x !!str CANARY",
        "secret: ${A}\n  CANARY",
        "secrets:\n- CANARY\n- b",
        "- secret: |\n    CANARY",
        "secrets: [a,\nCANARY\n]",
        "secrets: {\n  a: {\n    b: 'CANARY' } }",
        "\"token\":\n\"CANARY\"",
        "\"token\"\n  : \"CANARY\"",
        "\"token\" /* : */ : /* x */ \"CANARY\"",
        "token: // why\n \"CANARY\"",
        "token: 'a\\\nCANARY'",
        "? token\n: CANARY",
        "{'Cookie': 'session=CANARY; x=y'}",
        "authorization: Bearer CANARY",
        "x: 'Authorization: Basic CANARY'",
        "x: \"bearer CANARY\"",
        "x: Bearer%20CANARY",
        "[\"--header\", \"Authorization: Token CANARY\"]",
        "[\"--token\", \"CANARY\"]",
        "[\"--api-key=CANARY\"]",
        "args:\n- --token\n- CANARY",
        "run: tool --token CANARY",
        "[\"X-Api-Key\", \"CANARY\"]",
        "{name: 'HUB_TOKEN', value: 'CANARY'}",
        "- name: HUB_TOKEN\n  value: CANARY",
        "# export API_KEY=CANARY",
        "// token: CANARY",
        "/* password = \"CANARY\" */",
        "# secret: |\n#   CANARY",
        "url: http://user:CANARY@host/p",
        "url: http://user:CA/CANARY@host/p",
        "url: http://CANARY@host",
        "url: https://h/p?a=1&key=CANARY&b=2",
        "url: 'https://h/p?token=CANARY'",
        "url: 'https://h/p?access_token=CANARY#x'",
        "x: \"{\\\"token\\\": \\\"CANARY\\\"}\"",
        "key: |\n  -----BEGIN RSA PRIVATE KEY-----\n  CANARY\n  -----END RSA PRIVATE KEY-----",
        "auth: CANARY",
        "auth:\n  CANARY",
        "pass : CANARY",
        "private_key_id: CANARY",
        "OPENAI_KEY: CANARY",
        "password:CANARY",
        "\u{feff}password: CANARY",
        "token:\r\n  CANARY\r\nx: 1",
        "token: \u{e9}CANARY\u{e9}",
        "\"token\": |\n CANARY",
        "'secret':\n CANARY",
        "- - token:\n      CANARY",
        "x: \"Authorization: Token\n  CANARY\"",
        "x: 'Authorization: Token\\\nCANARY'",
        "export API_KEY=CANARY",
        "set API_KEY = CANARY",
        "{\"env\":{\"GITHUB_TOKEN\":\"CANARY\"}}",
        "#token: |\n#  CANARY",
    ];
    for spelling in spellings {
        let text = spelling.replace("CANARY", CANARY);
        assert!(!masked(&text).contains(CANARY), "{text:?} -> {:?}", masked(&text));
        let indented = text.replace('\n', "\n    ");
        for amid in [
            format!("before: 'it''s'\n{text}\nafter: \"x\"\n"),
            format!("# it's a \"quote\nx: {{y: [1, 'z']}}\n{text}\n# don't\n"),
            format!("a:\n  b:\n    {indented}\n"),
            format!("password: 'a\\'\ntoken: \"b\n{text}\n"),
            format!("{text}\n{text}\ntoken: ${{A}}\n"),
            text.replace('\n', "\r\n"),
        ] {
            assert!(!masked(&amid).contains(CANARY), "{amid:?} -> {:?}", masked(&amid));
        }
    }
}

#[test]
fn no_token_with_a_shape_of_its_own_leaks() {
    for token in [
        "sk-proj-abcdefgh",
        "ghp_abcd1234",
        "github_pat_11AAAA",
        "xoxb-1-2-abc",
        "AKIAIOSFODNN7EXAMPLE",
        "eyJhbGciOi.eyJzdWIi.c2ln",
        "glpat-abcd",
        "AIzaSyA1234567",
        "whsec_abcd",
        "123456789:AAFxyzABCDEFGHIJKLMNOPQRSTUVWXYZ123",
        "9f86d081884c7d659a2feaa0c55ad015",
    ] {
        for place in ["note: T", "{x:'T'}", "# T", "args: [\"--x=T\"]", "http://h/T/x", "a/T"] {
            let text = place.replace('T', token);
            let shown = masked(&text);
            let tail = &token[token.len() - 4..];
            assert!(!shown.contains(tail), "{text} -> {shown}");
        }
    }
}

#[test]
fn what_is_no_secret_stays_readable() {
    for text in [
        "mcp: { servers: { \"ci-hub\": { url: \"https://hub.example:8443/api/mcp\", transport: \"streamable-http\" } } }",
        "headers: { Authorization: \"Bearer ${HUB_MCP_API_KEY}\" }",
        "headers:\n  Authorization: Bearer ${HUB_MCP_API_KEY}\n  X: y",
        "token: ${TELEGRAM_BOT_TOKEN} # from the environment\nnext: 1",
        "botToken: \"${TELEGRAM_BOT_TOKEN}\"",
        "args: [\"-y\", \"@modelcontextprotocol/server-filesystem\", \"/home/node/work\"]",
        "model: anthropic/claude-sonnet-4-5-20250929",
        "max_tokens: 4096",
        "{maxTokens:200000,model:\"gpt-4o\",tools:{allow:[\"read\"]}}",
        "token: null\npassword: ~\nsecret: \"\"\nprivate: false",
        "{\"private\":true,\"token\":null}",
        "auth:\n  mode: none\n  profiles: []",
        "image: registry.example.com:5000/team/app:1.2",
        "proxy: http://token-proxy:8080/v1",
        "time: 2026-01-02T03:04:05Z",
        "# basic settings for the agent",
        "# you'll be asked for more: see 'it's', ok\nx: 1",
        "# API keys:\n#   one line of prose",
        "# SECRET_A is ignored unless OTHER_ENABLED=true is there",
    ] {
        assert_eq!(masked(text), text);
    }
}

#[test]
fn masking_ends_where_the_value_ends() {
    assert_eq!(masked("{token:'x',url:'u'}"), "{token:'*',url:'u'}");
    assert_eq!(masked("{token:12345678,url:'u'}"), "{token:*,url:'u'}");
    assert_eq!(masked("secret: |\n  x\n  y\nnext: 1"), "secret: *\n  *\n  *\nnext: 1");
    assert_eq!(masked("secrets:\n- x\nnext:\n- y"), "secrets:\n*\nnext:\n- y");
    assert_eq!(masked("secret: x\n# about next\nnext: 1"), "secret: *\n# about next\nnext: 1");
    assert_eq!(masked("url: https://u:p@h/x"), "url: https://*@h/x");
    assert_eq!(masked("u: 'https://h/x?token=t&page=2'"), "u: 'https://h/x?token=*&page=2'");
    assert_eq!(masked("Authorization: 'Bearer x'"), "Authorization: '*'");
}

#[test]
fn ranges_are_ascending_apart_and_on_boundaries() {
    let text = "é: 'Bearer é'\ntoken: é${A}é\nsecret:\n  - é\n  - ${B}\n";
    let spans = spans(text);
    assert!(spans.windows(2).all(|pair| pair[0].end < pair[1].start));
    assert!(spans.iter().all(|span| text.get(span.clone()).is_some()));
    assert!(masked(text).contains("${A}") && masked(text).contains("${B}"));
}

#[test]
fn a_text_too_strange_to_read_is_masked_whole_in_good_time() {
    let text = "token:{".repeat(100_000);
    assert_eq!(masked(&text).trim_start_matches("token:{"), "*");
}
