//! The manifest of an OpenClaw plugin: what the folder says it is, and whether the host would load it.
//!
//! Looks at what a source holds; the rules are those of OpenClaw's own discovery.

use std::path::Path;

use hubkit_contract::limits::PLUGIN_MANIFEST_BYTES;
use serde_json::Value as Json;

use super::contents::Contents;
use super::error::FolderError;
use super::id;
use crate::json5::Json5Document;
use crate::{Document, Value};

/// The file that makes a folder a plugin.
const MANIFEST: &str = "openclaw.plugin.json";
/// The file that names the code.
const PACKAGE: &str = "package.json";
/// Where the code is when that file names none.
const ENTRIES: [&str; 4] = ["index.js", "index.ts", "index.mjs", "index.cjs"];
/// Ids that OpenClaw keeps for itself.
const RESERVED: [&str; 1] = ["node-mcp"];
/// Folders that its discovery passes over.
const SKIPPED: [&str; 4] = ["build", "coverage", "dist", "node_modules"];

/// What a plugin's folder says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Manifest {
    /// The plugin's id, which is the name that its folder must have.
    pub id: String,
    /// What it takes the place of: `memory`, `context-engine`. Empty for an ordinary plugin.
    pub kinds: Vec<String>,
    /// Whether there is a `package.json`.
    pub has_package: bool,
    /// Files that the host would run and that are not there.
    pub missing: Vec<String>,
}

impl Manifest {
    pub(super) fn of(contents: &Contents<'_>, root: &Path) -> Result<Self, FolderError> {
        let path = root.join(MANIFEST);
        let Some(bytes) = contents.file(MANIFEST) else { return Err(FolderError::NoManifest { path }) };
        let wrong = |what: String| FolderError::Manifest { path: path.clone(), what };
        let text = text(bytes).map_err(wrong)?;
        let manifest = Json5Document::parse(text).map_err(|refusal| {
            let at = refusal.at.map(|at| format!(" at {at}")).unwrap_or_default();
            wrong(format!("{}{at}; {}", refusal.what, refusal.next))
        })?;
        let id = match manifest.get(&["id"]) {
            Some(Value::Str(id)) => id,
            _ => return Err(wrong("it has no `id`; add one".to_owned())),
        };
        id::check(&id)?;
        if RESERVED.contains(&&*id) {
            return Err(wrong("OpenClaw keeps this `id` for itself; choose another".to_owned()));
        }
        if SKIPPED.contains(&&*id) || [".bak", ".backup-", ".disabled"].iter().any(|part| id.contains(part)) {
            return Err(wrong(
                "OpenClaw passes over folders with this `id` as their name; choose another".to_owned(),
            ));
        }
        if !matches!(manifest.get(&["configSchema"]), Some(Value::Map(_))) {
            return Err(wrong(
                "it has no `configSchema`, without which OpenClaw refuses its whole configuration; add one"
                    .to_owned(),
            ));
        }
        let kinds = match manifest.get(&["kind"]) {
            Some(Value::Str(kind)) => vec![kind],
            Some(Value::List(kinds)) => kinds.iter().filter_map(Value::as_str).map(str::to_owned).collect(),
            _ => Vec::new(),
        };
        let named = match contents.file(PACKAGE) {
            Some(bytes) => {
                entries(bytes).map_err(|what| FolderError::Manifest { path: root.join(PACKAGE), what })?
            }
            None => None,
        };
        let missing = match named {
            Some(named) => named.into_iter().filter(|entry| contents.file(entry).is_none()).collect(),
            None if ENTRIES.iter().any(|entry| contents.file(entry).is_some()) => Vec::new(),
            None => vec![ENTRIES[0].to_owned()],
        };
        Ok(Self { id, kinds, has_package: contents.file(PACKAGE).is_some(), missing })
    }
}

/// The files that `package.json` names as the plugin's code; `None` where it names none.
fn entries(bytes: &[u8]) -> Result<Option<Vec<String>>, String> {
    let package: Json = serde_json::from_str(text(bytes)?)
        .map_err(|error| format!("it is not JSON, see {}:{}; mend it", error.line(), error.column()))?;
    let openclaw = match package.get("openclaw") {
        None | Some(Json::Null) => return Ok(None),
        Some(Json::Object(openclaw)) => openclaw,
        Some(_) => return Err("`openclaw` is not a mapping; make it one".to_owned()),
    };
    let named = match openclaw.get("extensions") {
        None | Some(Json::Null) => return Ok(None),
        Some(Json::Array(named)) if !named.is_empty() => named,
        Some(_) => return Err("`openclaw.extensions` is not a list of files; make it one".to_owned()),
    };
    let name =
        |entry: &Json| entry.as_str().map(str::trim).filter(|name| !name.is_empty()).map(str::to_owned);
    let named: Option<Vec<String>> = named.iter().map(name).collect();
    named
        .map(Some)
        .ok_or_else(|| "`openclaw.extensions` holds something else than names of files; mend it".to_owned())
}

fn text(bytes: &[u8]) -> Result<&str, String> {
    if bytes.len() > PLUGIN_MANIFEST_BYTES {
        return Err(format!("it is larger than {PLUGIN_MANIFEST_BYTES} bytes; make it smaller"));
    }
    std::str::from_utf8(bytes).map_err(|_| "it is not UTF-8; save it as that".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    const GOOD: &str = "{ id: 'ci-hub', configSchema: {}, /* JSON5 */ }";

    fn of(files: &[(&str, &str)]) -> Result<Manifest, FolderError> {
        let files: Vec<(&str, &[u8])> = files.iter().map(|(path, text)| (*path, text.as_bytes())).collect();
        Manifest::of(&Contents::embedded(&files).unwrap(), Path::new("/p"))
    }

    fn complaint(files: &[(&str, &str)]) -> String {
        let error = of(files).unwrap_err();
        assert_eq!(error.exit_code(), 65);
        error.to_string()
    }

    #[test]
    fn what_it_says() {
        let package = r#"{"name":"x","openclaw":{"extensions":["./index.js"," lib/b.js "]}}"#;
        let files = [(MANIFEST, GOOD), (PACKAGE, package), ("index.js", ""), ("lib/b.js", "")];
        let expected =
            Manifest { id: "ci-hub".to_owned(), kinds: Vec::new(), has_package: true, missing: Vec::new() };
        assert_eq!(of(&files), Ok(expected));
        assert_eq!(of(&files[..3]).unwrap().missing, ["lib/b.js"]);
        let kind = |text: &str| {
            of(&[(MANIFEST, &format!("{{id:'a',configSchema:{{}},kind:{text}}}"))]).unwrap().kinds
        };
        assert_eq!(kind("'memory'"), ["memory"]);
        assert_eq!(kind("['memory','context-engine']"), ["memory", "context-engine"]);
        assert!(kind("7").is_empty());
    }

    #[test]
    fn code_is_looked_for_where_openclaw_does() {
        let missing = |files: &[(&str, &str)]| of(&[&[(MANIFEST, GOOD)], files].concat()).unwrap().missing;
        assert_eq!(missing(&[]), ["index.js"]);
        assert_eq!(missing(&[("index.mjs", "")]), [""; 0]);
        assert_eq!(missing(&[("index.js/x", "")]), ["index.js"]);
        assert_eq!(missing(&[(PACKAGE, "{}"), ("index.js", "")]), [""; 0]);
        let out = r#"{"openclaw":{"extensions":["../index.js","/index.js"]}}"#;
        assert_eq!(missing(&[(PACKAGE, out), ("index.js", "")]), ["../index.js", "/index.js"]);
    }

    #[test]
    fn what_openclaw_refuses_is_refused_first() {
        assert_eq!(
            complaint(&[]),
            "there is no manifest /p/openclaw.plugin.json; name the folder that holds it, or add one"
        );
        for (text, part) in [
            ("{", "openclaw.plugin.json: "),
            ("[]", "no `id`"),
            ("{id:7}", "no `id`"),
            ("{id:'../x',configSchema:{}}", "../x cannot be the name"),
            ("{id:'dist',configSchema:{}}", "passes over"),
            ("{id:'a.bak',configSchema:{}}", "passes over"),
            ("{id:'node-mcp',configSchema:{}}", "for itself"),
            ("{id:'a'}", "configSchema"),
            ("{id:'a',configSchema:[]}", "configSchema"),
        ] {
            let complaint = complaint(&[(MANIFEST, text)]);
            assert!(complaint.contains(part), "{text}: {complaint}");
        }
        for (package, part) in [
            ("{'a':1}", "not JSON, see 1:2"),
            (r#"{"openclaw":7}"#, "`openclaw`"),
            (r#"{"openclaw":{"extensions":[]}}"#, "list of files"),
            (r#"{"openclaw":{"extensions":["a",7]}}"#, "names of files"),
        ] {
            let complaint = complaint(&[(MANIFEST, GOOD), (PACKAGE, package)]);
            assert!(complaint.starts_with("/p/package.json: ") && complaint.contains(part), "{complaint}");
        }
    }

    #[test]
    fn size_and_depth_are_bounded() {
        let manifest = |fill: usize| format!("{GOOD}{}", " ".repeat(fill - GOOD.len()));
        assert!(of(&[(MANIFEST, &manifest(PLUGIN_MANIFEST_BYTES))]).is_ok());
        assert!(complaint(&[(MANIFEST, &manifest(PLUGIN_MANIFEST_BYTES + 1))]).contains("larger than"));
        complaint(&[(MANIFEST, &"[".repeat(PLUGIN_MANIFEST_BYTES))]);
        complaint(&[(MANIFEST, GOOD), (PACKAGE, &"[".repeat(PLUGIN_MANIFEST_BYTES))]);
    }

    #[test]
    fn no_text_of_a_file_is_repeated() {
        let files = [(MANIFEST, "{ id: canary-7f3a }"), (PACKAGE, "")];
        assert!(!complaint(&files).contains("canary"));
        let files = [(MANIFEST, GOOD), (PACKAGE, r#"{"openclaw": canary}"#)];
        assert!(!complaint(&files).contains("canary"));
    }
}
