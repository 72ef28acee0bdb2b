//! stub
use crate::workspace::Workspace;
#[derive(Debug, PartialEq, Eq, Clone, Copy)]
pub(crate) enum Stage {
    Tests,
}
impl Stage {
    pub(crate) fn named(n: &str) -> Option<Self> {
        (n == "tests").then_some(Self::Tests)
    }
    pub(crate) fn names() -> String {
        "tests".into()
    }
}
pub(crate) fn run(_: &Workspace, _: Option<Stage>, _: &[String]) -> anyhow::Result<()> {
    Ok(())
}
