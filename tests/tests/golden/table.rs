//! A table of golden cases as a text that a person can read and review.

/// All cases of one host.
pub(crate) struct Table {
    /// The lines before the first case.
    pub head: String,
    /// The cases.
    pub cases: Vec<Case>,
}

/// A file before and after our entry was added.
pub(crate) struct Case {
    /// Its name.
    pub name: String,
    /// What it shows.
    pub about: String,
    /// The file before; `None`: there was none.
    pub original: Option<String>,
    /// The file with our entry.
    pub added: String,
}

/// Characters that cannot be seen, and how they are shown.
const SHOWN: [(&str, &str); 3] = [("\u{feff}", "[BOM]"), ("\r", "␍"), ("\t", "␉")];

/// What stands at the end of a line without a line break.
const UNENDED: &str = "¬\n";

/// The text with everything in it to be seen; it always ends with a line break.
pub(crate) fn shown(text: &str) -> String {
    let visible = SHOWN.iter().fold(text.to_owned(), |text, (raw, shown)| text.replace(raw, shown));
    if visible.is_empty() || visible.ends_with('\n') { visible } else { visible + UNENDED }
}

fn raw(shown: &str) -> String {
    let text = shown.strip_suffix(UNENDED).unwrap_or(shown);
    SHOWN.iter().fold(text.to_owned(), |text, (raw, shown)| text.replace(shown, raw))
}

/// Reads a table.
pub(crate) fn parse(text: &str) -> Table {
    let mut parts = text.split("== ");
    let head = parts.next().unwrap().to_owned();
    let case = |part: &str| {
        let (title, rest) = part.split_once('\n').unwrap();
        let (name, about) = title.split_once(": ").unwrap();
        let (original, added) = rest.split_once("-- added\n").unwrap();
        let original = match original.strip_prefix("-- original\n") {
            Some(original) => Some(raw(original)),
            None => {
                assert_eq!(original, "-- no original\n", "{name}");
                None
            }
        };
        Case { name: name.to_owned(), about: about.to_owned(), original, added: raw(added) }
    };
    Table { head, cases: parts.map(case).collect() }
}

/// The table as [`parse`] reads it.
pub(crate) fn written(table: &Table) -> String {
    let case = |case: &Case| {
        let original = match &case.original {
            Some(original) => format!("-- original\n{}", shown(original)),
            None => "-- no original\n".to_owned(),
        };
        format!("== {}: {}\n{original}-- added\n{}", case.name, case.about, shown(&case.added))
    };
    table.head.clone() + &table.cases.iter().map(case).collect::<String>()
}
