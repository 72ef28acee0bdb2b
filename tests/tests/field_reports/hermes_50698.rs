//! Setting one key stripped all comments and commented templates.

use crate::scene::{Scene, all_lines_kept};

const BEFORE: &str = "# operator note: do not lose me\nmodel:\n  default: \"acme/m-1\"   # quoted on purpose\n\nmcp_servers:\n  # pinned\n  time: {command: uvx, args: [\"mcp-server-time\"]}   # keep\n\n# ── Fallback ──\n# fallback_model:\n#   provider: x\n";

#[test]
fn comments_order_and_quotes_stay() {
    all_lines_kept(BEFORE, &Scene::hermes(BEFORE).wired());
}
