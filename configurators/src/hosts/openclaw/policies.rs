//! Settings of OpenClaw that hide an MCP server's tools from the agent although the server is wired and answers:
//! profiles, lists of tools, the sandbox, the entry's own filter. They are reported, never changed.

use super::agents::{Agent, agents, primary_model};
use super::scope::{NARROW, Scope};
use super::server_tools::ServerTools;
use crate::Value;
use crate::hosts::place::at;
use crate::recipe::Reader;

/// Modes in which sessions run in the sandbox, with lists of tools of its own.
const SANDBOXED: [&str; 2] = ["all", "non-main"];

/// The mode, if it is one of these.
fn is_sandboxed(mode: &Value) -> Option<&'static str> {
    SANDBOXED.into_iter().find(|sandboxed| mode.as_str() == Some(sandboxed))
}

/// What hides the tools of the MCP server `name`, one sentence each. Nothing where there is no such server, or it
/// is switched off.
pub(super) fn hiding(document: &dyn Reader, name: &str) -> Vec<String> {
    let Some(server @ Value::Map(_)) = document.get(&["mcp", "servers", name]) else { return Vec::new() };
    if server.get("enabled") == Some(&Value::Bool(false)) {
        return Vec::new();
    }
    let agents = agents(document);
    let policies = Policies {
        document,
        name,
        tools: ServerTools::of(name),
        global: Scope::global(document),
        scopes: agents.iter().map(Scope::of_agent).collect(),
        agents,
    };
    let mut found: Vec<String> = policies.filter(&server).into_iter().collect();
    found.extend(policies.profiles());
    found.extend(policies.everywhere().filter_map(|scope| policies.lists(scope)));
    found.extend(policies.models());
    found.extend(policies.sandbox());
    // What several agents share is said once.
    let mut said: Vec<String> = Vec::new();
    for sentence in found {
        if !said.contains(&sentence) {
            said.push(sentence);
        }
    }
    said
}

struct Policies<'a> {
    document: &'a dyn Reader,
    name: &'a str,
    tools: ServerTools,
    global: Scope,
    agents: Vec<Agent>,
    /// The tools of the agents, in the same order.
    scopes: Vec<Scope>,
}

impl Policies<'_> {
    fn everywhere(&self) -> impl Iterator<Item = &Scope> {
        std::iter::once(&self.global).chain(&self.scopes)
    }

    /// The filter in the server's own entry, which compares the names that the server itself uses.
    fn filter(&self, server: &Value) -> Option<String> {
        let filter = server.get("toolFilter")?;
        let path = ["mcp", "servers", self.name, "toolFilter"];
        let list = |key: &str| match filter.get(key) {
            Some(Value::List(list)) => {
                Some(list.iter().filter_map(Value::as_str).map(str::trim).collect::<Vec<_>>())
            }
            _ => None,
        };
        let said = |key: &str, what: &str| {
            let place = at(self.document, &[path.as_slice(), &[key]].concat());
            Some(format!("{place}`{}.{key}` {what}", path.join(".")))
        };
        let (include, exclude) = (list("include"), list("exclude"));
        for (key, list) in [("include", &include), ("exclude", &exclude)] {
            if list.as_ref().is_some_and(Vec::is_empty) {
                return said(key, "is empty, and OpenClaw refuses the file for it: take it out");
            }
        }
        let exclude = exclude.unwrap_or_default();
        let is_everything = |pattern: &&str| !pattern.is_empty() && pattern.chars().all(|c| c == '*');
        let passes = |pattern: &&str| {
            !pattern.is_empty() && !exclude.contains(pattern) && !self.tools.is_named(pattern)
        };
        let key = match include {
            _ if exclude.iter().any(is_everything) => "exclude",
            Some(include) if !include.iter().any(passes) => "include",
            _ => return None,
        };
        let what = format!(
            "lets no tool of `{}` through: it compares the server's own names of its tools, without `{}`",
            self.name,
            self.tools.prefix(),
        );
        said(key, &what)
    }

    /// The profile of every agent with the list that adds to it; both may be the agent's own or the global one.
    fn profiles(&self) -> Vec<String> {
        if self.scopes.is_empty() {
            return self.profile(&self.global, &self.global).into_iter().collect();
        }
        let owner = |own, key| if Scope::has(own, key) { own } else { &self.global };
        let said = self.scopes.iter().map(|own| self.profile(owner(own, "profile"), owner(own, "alsoAllow")));
        said.flatten().collect()
    }

    /// The profile that stands in `scope`, with the list that stands in `more`.
    fn profile(&self, scope: &Scope, more: &Scope) -> Option<String> {
        if !scope.is_narrow() || self.lets_through(more, "alsoAllow") {
            return None;
        }
        // Where neither is an agent's own, the sentence is about everybody.
        let own = [more, scope].into_iter().find(|scope| scope.agent.is_some());
        Some(format!(
            "{}`{}.profile` is `{NARROW}`, which hides the tools of `{}`{}: add `bundle-mcp` to `{}.alsoAllow`, or \
             choose another profile",
            scope.at(self.document, "profile"),
            scope.label,
            self.name,
            own.unwrap_or(scope).whom(),
            own.unwrap_or(more).label,
        ))
    }

    /// The lists that stand in `scope`.
    fn lists(&self, scope: &Scope) -> Option<String> {
        if scope.is_filled("allow") && scope.is_filled("alsoAllow") {
            return Some(self.conflict(scope));
        }
        self.denied(scope).or_else(|| {
            // A list of blanks lets everything through, like an empty one.
            let is_gate = !scope.list("allow").is_empty();
            (is_gate && !self.lets_through(scope, "allow")).then(|| {
                format!(
                    "{}`{}.allow` does not name the tools of `{}`, which hides them{}: add `bundle-mcp` or `{}*` to it",
                    scope.at(self.document, "allow"),
                    scope.label,
                    self.name,
                    scope.whom(),
                    self.tools.prefix(),
                )
            })
        })
    }

    fn conflict(&self, scope: &Scope) -> String {
        format!(
            "{}`{}` holds both `allow` and `alsoAllow`, and OpenClaw refuses the file for it: put them into one",
            scope.at(self.document, "alsoAllow"),
            scope.label,
        )
    }

    fn denied(&self, scope: &Scope) -> Option<String> {
        let denied = scope.list("deny");
        let entry = denied.iter().find(|entry| self.tools.is_shut_out_by(entry))?;
        Some(format!(
            "{}`{}.deny` holds `{entry}`, which hides the tools of `{}`{}: take it out",
            scope.at(self.document, "deny"),
            scope.label,
            self.name,
            scope.whom(),
        ))
    }

    /// What is said for the model that an agent uses first.
    fn models(&self) -> Vec<String> {
        let defaults = self.document.get(&["agents", "defaults"]).unwrap_or(Value::Null);
        let standard = primary_model(&defaults);
        let own = |agent: &Agent| primary_model(&agent.value).or(standard).map(str::to_owned);
        let of_agents = self
            .agents
            .iter()
            .zip(&self.scopes)
            .flat_map(|(agent, scope)| [(own(agent), scope), (own(agent), &self.global)]);
        let of_all = std::iter::once((standard.map(str::to_owned), &self.global));
        let policies = of_all.chain(of_agents).filter_map(|(model, scope)| scope.for_model(&model?));
        policies.flat_map(|scope| [self.profile(&scope, &scope), self.lists(&scope)]).flatten().collect()
    }

    /// The lists of the sandbox, for the agents that run in one. A list of an agent's own takes the place of the
    /// global one of the same name.
    fn sandbox(&self) -> Vec<String> {
        let global = self.global.sandbox();
        let path = ["agents", "defaults", "sandbox", "mode"];
        let default = self.document.get(&path).and_then(|mode| is_sandboxed(&mode));
        let default =
            default.map(|mode| format!("{}`{}` is `{mode}`", at(self.document, &path), path.join(".")));
        if self.agents.is_empty() {
            return default.and_then(|mode| self.sandboxed(&mode, &global, &global)).into_iter().collect();
        }
        let mode = |agent: &Agent| match agent.value.get("sandbox").and_then(|sandbox| sandbox.get("mode")) {
            Some(own) => is_sandboxed(own).map(|mode| {
                let place = agent.at(self.document, &["sandbox", "mode"]);
                format!("{place}`{}.sandbox.mode` is `{mode}`", agent.label)
            }),
            None => default.clone(),
        };
        let agents = self.agents.iter().zip(&self.scopes);
        agents.filter_map(|(agent, scope)| self.sandboxed(&mode(agent)?, &scope.sandbox(), &global)).collect()
    }

    /// What is wrong with the lists of a sandbox that runs because of `mode`, which is the beginning of a sentence.
    fn sandboxed(&self, mode: &str, own: &Scope, global: &Scope) -> Option<String> {
        let owner = |key: &str| if own.has_list(key) { own } else { global };
        let (allow, more) = (owner("allow"), owner("alsoAllow"));
        if std::ptr::eq(allow, more) && allow.is_filled("allow") && more.is_filled("alsoAllow") {
            return Some(self.conflict(allow));
        }
        if let Some(said) = self.denied(owner("deny")) {
            return Some(said);
        }
        let is_open = allow.has_list("allow") && allow.list("allow").is_empty();
        if is_open || self.lets_through(allow, "allow") || self.lets_through(more, "alsoAllow") {
            return None;
        }
        let (scope, key) = if allow.has_list("allow") { (allow, "allow") } else { (more, "alsoAllow") };
        Some(format!(
            "{mode}, and sessions in the sandbox do not get the tools of `{}`: add `bundle-mcp` to `{}.{key}`",
            self.name, scope.label,
        ))
    }

    /// Whether the list `key` of `scope` may let one of the tools through.
    fn lets_through(&self, scope: &Scope, key: &str) -> bool {
        scope.list(key).iter().any(|entry| self.tools.is_let_through_by(entry))
    }
}

#[cfg(test)]
#[path = "policies_tests.rs"]
mod tests;
