//! A credential in a host's file: as a literal or as a reference to the agent's environment.

use hubkit_contract::limits::SECRET_BYTES_MASKED;
use hubkit_redaction::Secret;

use crate::part::{Stop, Surroundings};
use crate::recipe::{Recipe, SecretStyle};

/// A credential and how the agent can come by it.
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
    /// Whether the credential itself may stand in a file that only its owner can read, where a reference would not
    /// resolve and nobody said how to write it.
    pub or_literal: bool,
}

/// The value to write and how it gives the credential.
pub(crate) struct Written {
    pub(crate) style: SecretStyle,
    /// The value to stand in the file.
    pub(crate) value: Secret,
    /// Everybody could read the literal that stood there.
    pub(crate) replaced_literal_that_all_could_read: bool,
}

/// What stands before the credential in its value.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Prefix {
    /// An `Authorization` header.
    Bearer,
    /// A field of its own.
    Nothing,
}

impl Prefix {
    fn text(self) -> &'static str {
        match self {
            Self::Bearer => "Bearer ",
            Self::Nothing => "",
        }
    }
}

impl Credential {
    /// Chooses how the credential is written. An explicit style wins. Otherwise what stands is kept when it gives
    /// the agent this very credential: a literal where others cannot read it, a reference where it will resolve.
    /// Otherwise the recipe's style, and a reference wherever everybody could read a literal. A word too short to
    /// be a secret, such as `ollama`, is written as it is.
    ///
    /// # Errors
    /// The file would refer to a variable that does not hold the credential.
    pub(crate) fn choose(
        &self,
        recipe: &Recipe,
        prefix: Prefix,
        standing: Option<&str>,
        surroundings: Surroundings<'_>,
    ) -> Result<Written, Stop> {
        let literal = format!("{}{}", prefix.text(), self.key.expose());
        let is_placeholder = self.key.expose().len() < SECRET_BYTES_MASKED && prefix == Prefix::Nothing;
        let standing_literal = standing == Some(literal.as_str());
        let standing_reference = standing.filter(|text| self.is_reference(recipe, prefix, text));
        let style = match self.secrets {
            Some(style) if !is_placeholder => style,
            _ if standing_literal && (is_placeholder || !surroundings.world_readable) => SecretStyle::Literal,
            _ if standing_reference.is_some() && self.reference_resolves => SecretStyle::Reference,
            _ if is_placeholder => SecretStyle::Literal,
            _ if surroundings.world_readable => SecretStyle::Reference,
            _ => recipe.secrets,
        };
        let may_be_literal = self.or_literal && self.secrets.is_none() && !surroundings.world_readable;
        let style = match style {
            SecretStyle::Reference if !self.reference_resolves && may_be_literal => SecretStyle::Literal,
            style => style,
        };
        if style == SecretStyle::Reference && !self.reference_resolves {
            return Err(self.does_not_resolve(recipe));
        }
        let value = match (style, standing_reference) {
            (SecretStyle::Literal, _) => literal,
            (SecretStyle::Reference, Some(standing)) => standing.to_owned(),
            (SecretStyle::Reference, None) => format!("{}${{{}}}", prefix.text(), self.variable),
        };
        Ok(Written {
            style,
            value: Secret::new(value),
            replaced_literal_that_all_could_read: style == SecretStyle::Reference
                && standing_literal
                && surroundings.world_readable,
        })
    }

    fn is_reference(&self, recipe: &Recipe, prefix: Prefix, text: &str) -> bool {
        match prefix {
            Prefix::Bearer => (recipe.is_reference)(text, self.variable),
            Prefix::Nothing => (recipe.is_reference)(&format!("Bearer {text}"), self.variable),
        }
    }

    fn does_not_resolve(&self, recipe: &Recipe) -> Stop {
        Stop::Environment(format!(
            "the file would refer to {}, which does not hold exactly the key in this environment; clean the variable, \
             start the agent through `hubkit bootstrap {} -- COMMAND`, or use --secrets literal",
            self.variable, recipe.host
        ))
    }
}
