//! All parts of one host's file in one new text, so that the file is replaced once.
//!
//! A part that is refused leaves the others alone. A part sees what the parts before it have made of the text.

use hubkit_contract::limits;

use crate::part::{Intent, Part, Stop, Surroundings};
use crate::recipe::{AsReader, Format, Recipe};
use crate::undo::Footprint;
use crate::undo::site::Ground;
use crate::{Change, Document, Position, Refusal, RefusalKind, Value, json5, yaml};

/// What became of the parts.
#[derive(Debug, Clone, PartialEq)]
pub struct Composed {
    /// The new text; `None` when the file is right as it is.
    pub text: Option<String>,
    /// Whether the file held no value before.
    pub from_nothing: bool,
    /// One for each part, in order.
    pub parts: Vec<Result<Done, Stop>>,
    /// What the new text brings into being beside what the parts own, for an undo.
    pub footprint: Option<Footprint>,
    /// Faults of the resulting file that hubkit leaves alone and that keep the host from using it.
    pub faults: Vec<String>,
}

/// One part that was planned.
#[derive(Debug, Clone, PartialEq)]
pub struct Done {
    /// What it wanted.
    pub intent: Intent,
    /// Whether the text had to be changed for it.
    pub changed: bool,
}

/// Plans `parts` of the file of `recipe`. `current` is the file's content, `None` where there is no file.
///
/// # Errors
/// The file as a whole cannot be read as its host would; it must then be left as it is.
pub fn compose(
    recipe: &Recipe,
    current: Option<&[u8]>,
    surroundings: Surroundings<'_>,
    parts: &[&dyn Part],
) -> Result<Composed, Refusal> {
    let bytes = current.unwrap_or_default();
    if current.is_some() && bytes.is_empty() && recipe.empty_is_clobbered && !surroundings.backups.is_empty()
    {
        return Err(clobbered(surroundings.backups));
    }
    let text = text_of(bytes)?;
    let mut work =
        Work { recipe, surroundings, parts, done: Vec::new(), from_nothing: None, footprint: None };
    let before = current.map(|_| text);
    let (new, faults) = match recipe.format {
        Format::Yaml => work.rounds::<Yaml>((before, text), &yaml::YamlDocument::parse(text)?)?,
        Format::Json5 => work.rounds::<Json5>((before, text), &json5::Json5Document::parse(text)?)?,
    };
    Ok(Composed {
        text: new.filter(|new| new != text),
        from_nothing: work.from_nothing.unwrap_or_default(),
        parts: work.done,
        footprint: work.footprint,
        faults,
    })
}

/// A syntax, by what its texts are parsed to.
trait Syntax {
    type Parsed<'t>: Ground<'t>;
}

enum Yaml {}

impl Syntax for Yaml {
    type Parsed<'t> = yaml::YamlDocument<'t>;
}

enum Json5 {}

impl Syntax for Json5 {
    type Parsed<'t> = json5::Json5Document<'t>;
}

struct Work<'a> {
    recipe: &'a Recipe,
    surroundings: Surroundings<'a>,
    parts: &'a [&'a dyn Part],
    done: Vec<Result<Done, Stop>>,
    from_nothing: Option<bool>,
    footprint: Option<Footprint>,
}

/// How a round over one parsed text ended.
enum Round {
    /// A part changed the text to this.
    Changed(String),
    /// All parts are done; the document has these faults.
    Over(Vec<String>),
}

impl Work<'_> {
    /// Rounds over `text`, which is `document`, and over what becomes of it: each ends at the first part that changes
    /// the text, so that every text is parsed once. `before` is `None` where there is no file yet.
    fn rounds<S: Syntax>(
        &mut self,
        (before, text): (Option<&str>, &str),
        document: &S::Parsed<'_>,
    ) -> Result<(Option<String>, Vec<String>), Refusal> {
        let new = match self.round(text, document) {
            Round::Over(faults) => return Ok((None, faults)),
            Round::Changed(new) => new,
        };
        let (newer, faults) = {
            let next = S::Parsed::parse(&new)?;
            for entry in self.entries().to_vec() {
                let path: Vec<&str> = entry.iter().map(String::as_str).collect();
                let made = Footprint::between((before, &new), (document, &next), &path);
                self.footprint = Footprint::merge(self.footprint.take(), made);
            }
            self.rounds::<S>((Some(&new), &new), &next)?
        };
        Ok((Some(newer.unwrap_or(new)), faults))
    }

    /// The entries of the part that was planned last.
    fn entries(&self) -> &[Vec<String>] {
        match self.done.last() {
            Some(Ok(done)) => &done.intent.entries,
            _ => &[],
        }
    }

    fn round<'t, D: Document<'t>>(&mut self, text: &str, document: &D) -> Round {
        let is_nothing =
            document.is_blank() || matches!(document.get(&[]), Some(Value::Map(root)) if root.is_empty());
        self.from_nothing.get_or_insert(is_nothing);
        while let Some(part) = self.parts.get(self.done.len()) {
            let planned = part.plan(&AsReader(document), self.surroundings).and_then(|intent| {
                let mut changes = Vec::new();
                if is_nothing && !intent.changes.is_empty() {
                    let extra = self.recipe.in_new_file.iter();
                    changes.extend(extra.map(|(path, text)| Change::set(path, (*text).into())));
                }
                changes.extend(intent.changes.iter().cloned());
                let edited = document.edit(&changes)?;
                Ok((intent, edited))
            });
            match planned {
                Err(stop) => self.done.push(Err(stop)),
                Ok((intent, edited)) => {
                    let changed = edited != text;
                    self.done.push(Ok(Done { intent, changed }));
                    if changed {
                        return Round::Changed(edited);
                    }
                }
            }
        }
        Round::Over((self.recipe.faults)(&AsReader(document), self.surroundings.directory))
    }
}

/// A file's bytes as text.
///
/// # Errors
/// They are no UTF-8, or too many.
pub fn text_of(bytes: &[u8]) -> Result<&str, Refusal> {
    if bytes.len() > limits::CONFIG_FILE_BYTES {
        return Err(Refusal {
            kind: RefusalKind::TooLarge,
            at: None,
            what: format!("the file is larger than {} bytes", limits::CONFIG_FILE_BYTES),
            next: "keep a configuration of that size out of this file",
        });
    }
    std::str::from_utf8(bytes).map_err(|error| {
        let valid = bytes.get(..error.valid_up_to()).unwrap_or_default();
        Refusal {
            kind: RefusalKind::Encoding,
            at: Some(Position::of(&String::from_utf8_lossy(valid), valid.len())),
            what: "the file is not valid UTF-8".to_owned(),
            next: "save it as UTF-8",
        }
    })
}

fn clobbered(backups: &[String]) -> Refusal {
    Refusal {
        kind: RefusalKind::Clobbered,
        at: None,
        what: format!("the file is empty, and beside it stands {}: something emptied it", backups.join(", ")),
        next: "restore the backup, or remove the empty file to start anew",
    }
}
