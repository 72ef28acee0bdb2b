//! The fixed data behind the tools: three installed apps, a small catalogue, one finished operation.

use serde_json::{Value, json};

/// One app of the catalogue: URN, name, and its status if it is installed.
struct App {
    urn: &'static str,
    name: &'static str,
    status: Option<&'static str>,
}

const CATALOGUE: &[App] = &[
    App { urn: "ci-hermes:official", name: "Hermes Agent", status: Some("running") },
    App { urn: "ci-memory:official", name: "Companion Memory", status: Some("running") },
    App { urn: "jellyfin:official", name: "Jellyfin", status: None },
    App { urn: "nextcloud:official", name: "Nextcloud", status: Some("stopped") },
];

fn row(app: &App) -> Value {
    match app.status {
        Some(status) => json!({ "urn": app.urn, "name": app.name, "status": status }),
        None => json!({ "urn": app.urn, "name": app.name }),
    }
}

/// The installed apps.
pub(crate) fn installed() -> Value {
    CATALOGUE.iter().filter(|app| app.status.is_some()).map(row).collect()
}

/// Apps of the catalogue whose name or URN contains `query`, letters compared without case.
pub(crate) fn search(query: &str) -> Value {
    let query = query.to_lowercase();
    let hit = |app: &&App| app.urn.contains(&query) || app.name.to_lowercase().contains(&query);
    CATALOGUE.iter().filter(hit).map(row).collect()
}

/// Whether an app with this URN is installed.
pub(crate) fn is_installed(urn: &str) -> bool {
    CATALOGUE.iter().any(|app| app.urn == urn && app.status.is_some())
}

/// The load of the machine.
pub(crate) fn load() -> Value {
    json!({ "cpuLoad": 12.5, "memoryTotal": 16_777_216, "memoryUsed": 6_291_456, "diskUsedPercent": 41 })
}

/// The state of inference, in the shape of the Hub's status call.
pub(crate) fn inference() -> Value {
    json!({
        "hardwareTier": "standard",
        "backends": [
            { "type": "ollama", "running": true, "healthy": true, "url": "http://ollama:11434", "modelsLoaded": 1 }
        ],
        "models": [{
            "id": "qwen3:8b", "object": "model", "created": 0, "owned_by": "local:ollama", "state": "loaded",
            "backend": "ollama", "modality": ["text"], "local": true, "context_window": 65_536
        }],
        "cloudProviders": []
    })
}
