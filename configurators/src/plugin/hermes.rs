//! Hermes: the list `plugins.enabled`.

use crate::part::{Intent, Part, Stop, Surroundings};
use crate::recipe::Reader;
use crate::{Change, Refusal, RefusalKind, Value};

/// Keys of the list of plugins that are loaded.
const ENABLED: [&str; 2] = ["plugins", "enabled"];

/// Keys of the list that wins over it.
const DISABLED: [&str; 2] = ["plugins", "disabled"];

/// The plugins that Hermes should load, by the names in their manifests.
pub struct HermesPlugins {
    /// The names.
    pub names: Vec<String>,
    /// Whether other plugins stand beside them: a new list leaves those out.
    pub others_stand: bool,
}

impl Part for HermesPlugins {
    fn plan(&self, document: &dyn Reader, _surroundings: Surroundings<'_>) -> Result<Intent, Stop> {
        let mut intent = Intent::default();
        let listed = match document.get(&ENABLED) {
            None | Some(Value::Null) => {
                if self.others_stand {
                    intent.notices.push(
                        "`plugins.enabled` is new, and other plugins stand beside this one: list those that \
                         Hermes should load"
                            .to_owned(),
                    );
                }
                Vec::new()
            }
            Some(Value::List(listed)) => listed,
            Some(other) => {
                return Err(Refusal {
                    kind: RefusalKind::NotAMapping,
                    at: document.position(&ENABLED),
                    what: format!("`plugins.enabled` is {}, where a list should stand", other.kind()),
                    next: "make it a list of names",
                }
                .into());
            }
        };
        let is_in = |list: &[Value], name: &str| list.iter().any(|item| item.as_str() == Some(name));
        let disabled = match document.get(&DISABLED) {
            Some(Value::List(disabled)) => disabled,
            _ => Vec::new(),
        };
        for name in &self.names {
            if is_in(&disabled, name) {
                intent.disabled = true;
                intent.notices.push(format!("the plugin `{name}` is switched off, which is respected"));
            } else if !is_in(&listed, name) {
                intent.changes.push(Change::append(&ENABLED, Value::Str(name.clone())));
            }
        }
        Ok(intent)
    }
}
