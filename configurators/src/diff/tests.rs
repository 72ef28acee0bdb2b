//! What a person reads, and what nobody may.

use super::unified;

fn plain(old: &str, new: &str) -> String {
    unified("config.yaml", old, new, &str::to_owned)
}

#[test]
fn three_lines_of_context_and_hunk_headers() {
    let old = "a\nb\nc\nd\ne\nf\ng\nh\ni\nj\n";
    let new = "a\nb\nc\nd\nE\nf\ng\nh\ni\nj\nk\n";
    assert_eq!(
        plain(old, new),
        "--- config.yaml\n+++ config.yaml\n@@ -2,9 +2,10 @@\n b\n c\n d\n-e\n+E\n f\n g\n h\n i\n j\n+k\n"
    );
    assert_eq!(plain(old, old), "");
    assert_eq!(plain("", "a\n"), "--- config.yaml\n+++ config.yaml\n@@ -0,0 +1 @@\n+a\n");
}

#[test]
fn missing_line_breaks_and_carriage_returns_are_seen() {
    assert_eq!(
        plain("a\r\nb", "a\r\nb\n"),
        "--- config.yaml\n+++ config.yaml\n@@ -1,2 +1,2 @@\n a␍\n-b\n\\ No newline at end of file\n+b\n"
    );
    assert_eq!(plain("a\rb\r", "a\rc\r").lines().skip(3).collect::<Vec<_>>(), [" a␍", "-b␍", "+c␍"]);
    assert!(plain("a\n", "\u{1b}[31m\u{202e}a\n").contains("+␛[31m\\u{202e}a"));
}

#[test]
fn secrets_are_hidden_in_context_removed_and_added_lines() {
    let old =
        "api_key: canary-one\nurl: http://a\npassword: canary-two\nblock:\n  token: |\n    canary-three\n";
    let new =
        "api_key: canary-one\nurl: http://b\npassword: canary-four\nblock:\n  token: |\n    canary-five\n";
    let diff = plain(old, new);
    assert!(!diff.contains("canary"), "{diff}");
    assert!(diff.contains("-password: [redacted]\n+url: http://b\n+password: [redacted]\n"), "{diff}");
    assert!(diff.contains("-    [redacted]\n+    [redacted]\n"), "{diff}");
}

#[test]
fn a_known_secret_that_the_mask_by_looks_would_cut_is_hidden_whole() {
    let known = "k! 9f86d081884c7d659a2feaa0c55ad015";
    let mask = |text: &str| text.replace(known, "[ours]");
    let diff = unified(
        "n",
        "",
        &format!(
            "note: {known} end
secret: |
  {known}
"
        ),
        &mask,
    );
    assert!(
        diff.contains("+note: [ours] end\n")
            || diff.contains(
                "+note: [ours] end
"
            ),
        "{diff}"
    );
    assert!(!diff.contains("k!"), "{diff}");
}

#[test]
fn references_are_shown_and_known_secrets_are_not() {
    let new = "headers:\n  Authorization: Bearer ${HUB_MCP_API_KEY}\nnote: known-to-us\n";
    let diff = unified("n", "", new, &|line| line.replace("known-to-us", "[ours]"));
    assert!(diff.contains("+  Authorization: Bearer ${HUB_MCP_API_KEY}\n+note: [ours]\n"), "{diff}");
}

#[test]
fn a_whole_file_on_one_line_is_cut_around_the_change() {
    let filler = |n: usize| (0..n).map(|i| format!("k{i}:{{é:'v'}},")).collect::<String>();
    let (before, after) = (filler(200), filler(300));
    let old = format!("{{{before}token:'canary-one',{after}}}");
    let new = format!("{{{before}token:'canary-two',mcp:{{servers:{{}}}},{after}}}");
    let diff = plain(&old, &new);
    assert!(!diff.contains("canary"), "{diff}");
    assert!(diff.contains("token:'[redacted]',mcp:{servers:{}},k0"), "{diff}");
    assert!(diff.lines().all(|line| line.chars().count() < 600), "{diff}");
    assert!(diff.contains("characters)…"), "{diff}");
}

#[test]
fn a_long_line_of_context_shows_its_beginning() {
    let long = "x: ".to_owned() + &"word ".repeat(300);
    let diff = plain(&format!("{long}\na\n"), &format!("{long}\nb\n"));
    assert!(diff.contains("\n x: word word"), "{diff}");
    assert!(diff.lines().all(|line| line.chars().count() < 300), "{diff}");
}
