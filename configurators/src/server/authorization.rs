//! The credential of an MCP entry: as a literal or as a reference, under whatever spelling the header has.

use hubkit_contract::reference::bearer_reference;
use hubkit_redaction::Secret;

use crate::Value;
use crate::entry::authorizations;
use crate::part::{Stop, Surroundings};
use crate::recipe::{Recipe, SecretStyle};

/// A bearer credential and how the agent can come by it.
#[derive(Debug, Clone)]
pub struct Credential {
    /// The variable that holds it in the agent's environment.
    pub variable: &'static str,
    /// The credential, without `Bearer`.
    pub key: Secret,
    /// How to write it; `None` lets the file decide.
    pub secrets: Option<SecretStyle>,
    /// Whether the agent's environment will hold exactly this credential under `variable`.
    pub reference_resolves: bool,
}

/// The header value to write and how it gives the key.
pub(super) struct Authorization {
    pub(super) style: SecretStyle,
    /// The value to stand in the file.
    pub(super) value: Secret,
    pub(super) replaced_literal_that_all_could_read: bool,
}

impl Authorization {
    /// An explicit style wins. Otherwise what stands is kept when it gives the agent this very key: a literal
    /// where others cannot read it, a reference where it will resolve. Otherwise the recipe's style, and a
    /// reference wherever everybody could read a literal.
    ///
    /// # Errors
    /// The file would refer to a variable that does not hold the key.
    pub(super) fn choose(
        recipe: &Recipe,
        entry: Option<&Value>,
        surroundings: Surroundings<'_>,
        credential: &Credential,
    ) -> Result<Self, Stop> {
        let literal = format!("Bearer {}", credential.key.expose());
        let standing = entry.and_then(|entry| authorizations(entry).last()?.1.as_str());
        let standing_literal = standing == Some(literal.as_str());
        let standing_reference = standing.filter(|text| (recipe.is_reference)(text, credential.variable));
        let style = match credential.secrets {
            Some(style) => style,
            None if standing_literal && !surroundings.world_readable => SecretStyle::Literal,
            None if standing_reference.is_some() && credential.reference_resolves => SecretStyle::Reference,
            None if surroundings.world_readable => SecretStyle::Reference,
            None => recipe.secrets,
        };
        if style == SecretStyle::Reference && !credential.reference_resolves {
            return Err(does_not_resolve(recipe.host, credential.variable));
        }
        let value = match (style, standing_reference) {
            (SecretStyle::Literal, _) => literal,
            (SecretStyle::Reference, Some(standing)) => standing.to_owned(),
            (SecretStyle::Reference, None) => bearer_reference(credential.variable),
        };
        Ok(Self {
            style,
            value: Secret::new(value),
            replaced_literal_that_all_could_read: style == SecretStyle::Reference
                && standing_literal
                && surroundings.world_readable,
        })
    }
}

fn does_not_resolve(host: &str, variable: &str) -> Stop {
    Stop::Environment(format!(
        "the file would refer to {variable}, which does not hold exactly the key in this environment; clean the \
         variable, start the agent through `hubkit bootstrap {host} -- COMMAND`, or use --secrets literal"
    ))
}
