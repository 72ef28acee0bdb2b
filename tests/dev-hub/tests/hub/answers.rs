//! What the Hub answers, seen from the wire.

use crate::raw::{Exchange, exchange};
use hubkit_dev_hub::{Capability, DevHub, Options};
use hubkit_redaction::Secret;
use serde_json::{Value, json};

const KEY: &str = "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef";
const BEARER: (&str, &str) =
    ("Authorization", "Bearer 0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef");
const JSON: (&str, &str) = ("Content-Type", "application/json");
const ACCEPT: (&str, &str) = ("Accept", "application/json, text/event-stream");

fn hub(capability: Capability) -> DevHub {
    DevHub::start_blocking(Options { capability, ..Options::new(Secret::new(KEY)) }).unwrap()
}

/// Posts a message with the right key and `more` headers.
fn post(hub: &DevHub, more: &[(&str, &str)], message: &Value) -> Exchange {
    let headers = [&[BEARER, JSON, ACCEPT], more].concat();
    exchange(&hub.url(), "POST", "/api/mcp", &headers, &message.to_string())
}

fn request(method: &str, params: Value) -> Value {
    json!({ "jsonrpc": "2.0", "id": 7, "method": method, "params": params })
}

fn initialize() -> Value {
    let who = json!({ "name": "test", "version": "1" });
    request("initialize", json!({ "protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": who }))
}

/// Opens a session and returns its id.
fn session(hub: &DevHub) -> String {
    let opened = post(hub, &[], &initialize());
    let session = opened.header("mcp-session-id").unwrap().to_owned();
    let noted = json!({ "jsonrpc": "2.0", "method": "notifications/initialized" });
    assert_eq!(post(hub, &[("Mcp-Session-Id", &session)], &noted).status, 202);
    session
}

/// Posts a stateless request with the headers and the envelope that its era asks for.
fn modern(hub: &DevHub, method: &str, mut params: Value) -> Exchange {
    let name = params["name"].as_str().unwrap_or_default().to_owned();
    params["_meta"] = json!({
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientInfo": { "name": "test", "version": "1" },
        "io.modelcontextprotocol/clientCapabilities": {}
    });
    let mut headers = vec![("MCP-Protocol-Version", "2026-07-28"), ("Mcp-Method", method)];
    if method == "tools/call" {
        headers.push(("Mcp-Name", &name));
    }
    post(hub, &headers, &request(method, params))
}

fn tool_names(listed: &Value) -> Vec<&str> {
    listed["result"]["tools"].as_array().unwrap().iter().map(|tool| tool["name"].as_str().unwrap()).collect()
}

#[test]
fn health_needs_no_key() {
    let hub = hub(Capability::Write);
    let live = exchange(&hub.url(), "GET", "/api/health/live", &[], "");
    assert_eq!((live.status, live.body.as_str()), (200, r#"{"status":"ok"}"#));
    let ready = exchange(&hub.url(), "GET", "/api/health", &[], "");
    let body =
        r#"{"status":"ok","info":{"queue":{"status":"up"}},"error":{},"details":{"queue":{"status":"up"}}}"#;
    assert_eq!((ready.status, ready.body.as_str()), (200, body));
    assert_eq!(exchange(&hub.url(), "HEAD", "/api/health/live", &[], "").body, "");
}

#[test]
fn an_unknown_path_gets_the_body_of_the_filter() {
    let hub = hub(Capability::Write);
    let answer = exchange(&hub.url(), "GET", "/hub?key=x", &[], "");
    assert_eq!(answer.status, 404);
    assert_eq!(answer.body, r#"{"statusCode":404,"message":"Cannot GET /hub","path":"/hub"}"#);
    assert_eq!(exchange(&hub.url(), "POST", "/api/health/live", &[], "").status, 404);
}

#[test]
fn a_bad_credential_gets_the_exact_body_on_every_method() {
    let hub = hub(Capability::Write);
    let cases = [
        (None, "Missing Authorization header"),
        (Some("bearer 0123456789abcdef"), "Malformed Authorization header"),
        (Some("Bearer  0123456789abcdef"), "Malformed Authorization header"),
        (Some("Bearer 0123456789abcdef"), "Invalid API key"),
    ];
    for (value, message) in cases {
        for method in ["POST", "GET", "DELETE", "PUT"] {
            let credential = value.map(|value| ("Authorization", value));
            let headers: Vec<_> = [JSON, ACCEPT].into_iter().chain(credential).collect();
            let answer = exchange(&hub.url(), method, "/api/mcp", &headers, &initialize().to_string());
            assert_eq!(answer.status, 401, "{method} {value:?}");
            let body = format!(r#"{{"statusCode":401,"message":"{message}","path":"/api/mcp"}}"#);
            assert_eq!(answer.body, body, "{method}");
            assert_eq!(answer.header("www-authenticate"), None);
        }
    }
}

#[test]
fn a_session_is_opened_used_and_closed() {
    let hub = hub(Capability::Write);
    let opened = post(&hub, &[], &initialize());
    assert_eq!(opened.status, 200);
    let result = &opened.message()["result"];
    assert_eq!(result["protocolVersion"], "2025-11-25");
    assert_eq!(result["serverInfo"], json!({ "name": "ci-hub", "version": "1.0.0" }));
    assert_eq!(result["capabilities"], json!({ "tools": {} }));

    let session = session(&hub);
    let with_session = [("Mcp-Session-Id", session.as_str())];
    let listed = post(&hub, &with_session, &request("tools/list", json!({}))).message();
    let names = tool_names(&listed);
    assert!(names.contains(&"hub_system_load") && names.contains(&"hub_restart_app"), "{names:?}");
    assert_eq!(listed["result"].get("resultType"), None);

    let call = json!({ "name": "hub_search_apps", "arguments": { "query": "HERMES" } });
    let called = post(&hub, &with_session, &request("tools/call", call)).message();
    let text = r#"[{"name":"Hermes Agent","status":"running","urn":"ci-hermes:official"}]"#;
    assert_eq!(called["result"], json!({ "content": [{ "type": "text", "text": text }] }));

    let unknown = post(&hub, &with_session, &request("tools/call", json!({ "name": "hub_nothing" })));
    assert_eq!(unknown.status, 200);
    assert_eq!(unknown.message()["error"], json!({ "code": -32602, "message": "Unknown tool: hub_nothing" }));

    let close = |session: &str| {
        exchange(&hub.url(), "DELETE", "/api/mcp", &[BEARER, ("Mcp-Session-Id", session)], "").status
    };
    assert_eq!([close(&session), close(&session), close("never-was")], [204; 3]);
    assert_eq!(post(&hub, &with_session, &request("tools/list", json!({}))).status, 404);
}

#[test]
fn a_lost_session_is_404_and_a_missing_one_400() {
    let hub = hub(Capability::Write);
    let lost = post(&hub, &[("Mcp-Session-Id", "never-was")], &request("tools/list", json!({})));
    assert_eq!((lost.status, &lost.message()["error"]["code"]), (404, &json!(-32001)));
    assert_eq!(lost.message()["id"], Value::Null);
    let missing = post(&hub, &[], &request("tools/list", json!({})));
    assert_eq!((missing.status, &missing.message()["error"]["code"]), (400, &json!(-32000)));

    for headers in [vec![BEARER, ACCEPT], vec![BEARER, ACCEPT, ("Mcp-Session-Id", "never-was")]] {
        let answer = exchange(&hub.url(), "GET", "/api/mcp", &headers, "");
        assert_eq!((answer.status, &answer.message()["error"]["code"]), (404, &json!(-32001)));
    }
    assert_eq!(exchange(&hub.url(), "HEAD", "/api/mcp", &[BEARER], "").status, 404);
    assert_eq!(exchange(&hub.url(), "PUT", "/api/mcp", &[BEARER], "").status, 405);
}

#[test]
fn the_stateless_era_is_served_beside_it() {
    let hub = hub(Capability::Write);
    let discovered = modern(&hub, "server/discover", json!({}));
    assert_eq!((discovered.status, discovered.header("mcp-session-id")), (200, None));
    let result = &discovered.message()["result"];
    assert_eq!(result["supportedVersions"], json!(["2026-07-28", "2025-11-25"]));
    assert_eq!(result["_meta"]["io.modelcontextprotocol/serverInfo"]["name"], "ci-hub");

    let listed = modern(&hub, "tools/list", json!({})).message();
    assert_eq!(listed["result"]["resultType"], "complete");
    assert!(tool_names(&listed).contains(&"hub_list_installed_apps"));

    let called = modern(&hub, "tools/call", json!({ "name": "hub_list_installed_apps" })).message();
    let text = called["result"]["content"][0]["text"].as_str().unwrap();
    assert_eq!(serde_json::from_str::<Value>(text).unwrap().as_array().unwrap().len(), 3);

    let unknown = modern(&hub, "tools/call", json!({ "name": "hub_nothing" }));
    let error = json!({ "code": -32602, "message": "Tool hub_nothing not found" });
    assert_eq!((unknown.status, &unknown.message()["error"]), (200, &error));
    let no_method = modern(&hub, "hub/nothing", json!({}));
    assert_eq!((no_method.status, &no_method.message()["error"]["code"]), (404, &json!(-32601)));
}

#[test]
fn a_stateless_request_without_its_headers_is_refused() {
    let hub = hub(Capability::Write);
    let envelope = json!({ "_meta": {
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientCapabilities": {}
    }});
    let version = ("MCP-Protocol-Version", "2026-07-28");
    let answer = post(&hub, &[version], &request("tools/list", envelope));
    assert_eq!((answer.status, &answer.message()["error"]["code"]), (400, &json!(-32020)));
    let headers = [version, ("Mcp-Method", "tools/list")];
    let answer = post(&hub, &headers, &request("tools/list", json!({})));
    assert_eq!(answer.status, 400);
}

#[test]
fn what_is_no_message_is_refused_in_json() {
    let hub = hub(Capability::Write);
    let broken = exchange(&hub.url(), "POST", "/api/mcp", &[BEARER, JSON, ACCEPT], "{not json");
    assert_eq!(broken.status, 400);
    assert_eq!(broken.message()["statusCode"], 400);
    let plain =
        exchange(&hub.url(), "POST", "/api/mcp", &[BEARER, ACCEPT, ("Content-Type", "text/plain")], "{}");
    assert_eq!((plain.status, &plain.message()["error"]["code"]), (415, &json!(-32000)));
    let picky = exchange(&hub.url(), "POST", "/api/mcp", &[BEARER, JSON], "{}");
    assert_eq!((picky.status, &picky.message()["error"]["code"]), (406, &json!(-32000)));
}

#[test]
fn a_key_sees_and_uses_what_its_capability_allows() {
    let restart = json!({ "name": "hub_restart_app", "arguments": { "urn": "ci-hermes:official" } });
    let uninstall = json!({ "name": "hub_uninstall_app", "arguments": { "urn": "ci-hermes:official" } });
    for (capability, tools, may_restart, may_uninstall) in [
        (Capability::Read, 5, false, false),
        (Capability::Write, 6, true, false),
        (Capability::Full, 7, true, true),
    ] {
        let hub = hub(capability);
        assert_eq!(tool_names(&modern(&hub, "tools/list", json!({})).message()).len(), tools);
        let session = session(&hub);
        for (call, may) in [(&restart, may_restart), (&uninstall, may_uninstall)] {
            let in_session =
                post(&hub, &[("Mcp-Session-Id", &session)], &request("tools/call", call.clone())).message();
            assert_eq!(in_session["result"].get("isError").is_none(), may, "{in_session}");
            let stateless = modern(&hub, "tools/call", call.clone()).message();
            assert_eq!(stateless.get("error").is_none(), may, "{stateless}");
            if !may {
                let text = in_session["result"]["content"][0]["text"].as_str().unwrap();
                assert!(
                    text.contains(call["name"].as_str().unwrap()) && text.contains("Settings → Security"),
                    "{text}"
                );
            }
        }
    }
}

#[test]
fn annotations_are_those_of_the_hub() {
    let hub = hub(Capability::Full);
    let listed = modern(&hub, "tools/list", json!({})).message();
    for tool in listed["result"]["tools"].as_array().unwrap() {
        let (read_only, destructive) = match tool["name"].as_str().unwrap() {
            "hub_restart_app" => (false, false),
            "hub_uninstall_app" => (false, true),
            _ => (true, false),
        };
        let annotations = json!({ "readOnlyHint": read_only, "destructiveHint": destructive });
        assert_eq!(tool["annotations"], annotations, "{tool}");
        assert_eq!(tool["inputSchema"]["type"], "object");
    }
}

#[test]
fn a_failed_tool_answers_in_prose() {
    let hub = hub(Capability::Write);
    for (call, prose) in [
        (json!({ "name": "hub_restart_app", "arguments": { "urn": "a:b" } }), "App a:b not found"),
        (json!({ "name": "hub_restart_app" }), "`urn` must be a string"),
        (
            json!({ "name": "hub_get_operation_status", "arguments": { "operationId": "x" } }),
            "Resource not found.",
        ),
    ] {
        let result = &modern(&hub, "tools/call", call).message()["result"];
        assert_eq!(result["isError"], true);
        assert!(result["content"][0]["text"].as_str().unwrap().contains(prose), "{result}");
    }
}
