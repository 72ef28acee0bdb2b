//! A handful of the Hub's tools under their real names and annotations, answered from fixed data.

use std::sync::Arc;

use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CallToolResult, ContentBlock, DiscoverResult, Implementation,
    JsonObject, ListToolsResult, PaginatedRequestParams, ProtocolVersion, ServerCapabilities, ServerConfig,
    Tool, ToolAnnotations,
};
use rmcp::service::RequestContext;
use rmcp::{ErrorData, RoleServer, ServerHandler};
use serde_json::{Value, json};

use crate::fleet;
use crate::options::Capability;

/// What a tool answers: a value for the JSON text of a result, or the prose of a failed one.
type Outcome = Result<Value, String>;

/// One tool. `argument` is the name of its one required argument, empty when it takes none.
struct Known {
    name: &'static str,
    description: &'static str,
    needs: Capability,
    argument: &'static str,
    run: fn(&str) -> Outcome,
}

const KNOWN: &[Known] = &[
    Known {
        name: "hub_get_inference_status",
        description: "Backends, models and hardware tier of the Hub's inference.",
        needs: Capability::Read,
        argument: "",
        run: |_| Ok(fleet::inference()),
    },
    Known {
        name: "hub_system_load",
        description: "Load of the machine: processor, memory, disk.",
        needs: Capability::Read,
        argument: "",
        run: |_| Ok(fleet::load()),
    },
    Known {
        name: "hub_list_installed_apps",
        description: "The installed apps with their status.",
        needs: Capability::Read,
        argument: "",
        run: |_| Ok(fleet::installed()),
    },
    Known {
        name: "hub_search_apps",
        description: "Apps of the enabled stores whose name matches a query.",
        needs: Capability::Read,
        argument: "query",
        run: |query| Ok(fleet::search(query)),
    },
    Known {
        name: "hub_get_operation_status",
        description: "How far an operation is.",
        needs: Capability::Read,
        argument: "operationId",
        run: |id| match id {
            "op-1" => Ok(json!({ "operationId": "op-1", "status": "completed", "progress": 100 })),
            _ => Err(format!("Resource not found. No operation {id} is known.")),
        },
    },
    Known {
        name: "hub_restart_app",
        description: "Restart an installed app.",
        needs: Capability::Write,
        argument: "urn",
        run: |urn| accept("restart", urn),
    },
    Known {
        name: "hub_uninstall_app",
        description: "Uninstall an app and delete its data.",
        needs: Capability::Full,
        argument: "urn",
        run: |urn| accept("uninstall", urn),
    },
];

fn accept(operation: &str, urn: &str) -> Outcome {
    if !fleet::is_installed(urn) {
        return Err(format!("App {urn} not found. Call hub_list_installed_apps for the installed ones."));
    }
    Ok(json!({ "operationId": "op-1", "operation": operation, "urn": urn, "status": "accepted" }))
}

impl Known {
    fn listed(&self) -> Tool {
        let properties = match self.argument {
            "" => json!({}),
            name => json!({ name: { "type": "string" } }),
        };
        let mut schema = JsonObject::new();
        schema.insert("type".to_owned(), json!("object"));
        schema.insert("properties".to_owned(), properties);
        if !self.argument.is_empty() {
            schema.insert("required".to_owned(), json!([self.argument]));
        }
        let annotations = ToolAnnotations::new()
            .read_only(self.needs == Capability::Read)
            .destructive(self.needs == Capability::Full);
        Tool::new(self.name, self.description, Arc::new(schema)).with_annotations(annotations)
    }

    fn call(&self, arguments: Option<&JsonObject>) -> Outcome {
        if self.argument.is_empty() {
            return (self.run)("");
        }
        match arguments.and_then(|arguments| arguments.get(self.argument)).and_then(Value::as_str) {
            Some(text) => (self.run)(text),
            None => {
                Err(format!("Invalid arguments for tool {}: `{}` must be a string", self.name, self.argument))
            }
        }
    }
}

/// The tools as a key of one capability sees them.
#[derive(Debug, Clone, Copy)]
pub(crate) struct HubTools {
    capability: Capability,
}

impl HubTools {
    /// The view of a key.
    pub(crate) fn new(capability: Capability) -> Self {
        Self { capability }
    }

    fn visible(&self) -> impl Iterator<Item = &'static Known> {
        let capability = self.capability;
        KNOWN.iter().filter(move |known| known.needs <= capability)
    }
}

impl ServerHandler for HubTools {
    fn get_info(&self) -> ServerConfig {
        ServerConfig::new(ServerCapabilities::builder().enable_tools().build())
            .with_server_info(Implementation::new("ci-hub", "1.0.0"))
    }

    async fn discover(&self, _: RequestContext<RoleServer>) -> Result<DiscoverResult, ErrorData> {
        // The Hub advertises the newest revision of each era; `initialize` still negotiates older ones.
        let advertised = vec![ProtocolVersion::V_2026_07_28, ProtocolVersion::LATEST_WITH_INITIALIZE];
        Ok(DiscoverResult::from_server_info(advertised, self.get_info()))
    }

    async fn list_tools(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        Ok(ListToolsResult::with_all_items(self.visible().map(Known::listed).collect()))
    }

    async fn call_tool(
        &self,
        call: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let legacy = context.protocol_version().is_none_or(|version| version.has_initialize());
        let known = KNOWN.iter().find(|known| known.name == call.name);
        let outcome = match known {
            Some(known) if known.needs <= self.capability => known.call(call.arguments.as_ref()),
            // Sessions keep every tool registered and refuse in prose; the stateless handler registers only
            // what the key may use.
            Some(known) if legacy => Err(format!(
                "Tool {} needs an API key with the capability `{}`; see Settings → Security.",
                known.name,
                known.needs.word()
            )),
            _ if legacy => {
                return Err(ErrorData::invalid_params(format!("Unknown tool: {}", call.name), None));
            }
            _ => return Err(ErrorData::invalid_params(format!("Tool {} not found", call.name), None)),
        };
        let mut result = match outcome {
            Ok(value) => CallToolResult::success(vec![ContentBlock::text(value.to_string())]),
            Err(prose) => CallToolResult::error(vec![ContentBlock::text(prose)]),
        };
        // The Hub leaves `isError` out of what succeeded.
        result.is_error = result.is_error.filter(|&failed| failed);
        Ok(result.into())
    }
}
