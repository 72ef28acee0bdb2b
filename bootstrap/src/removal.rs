//! Taking one MCP server's entry out of the host's file again.

use hubkit_configurators::part::{Intent, Part, Stop, Surroundings};
use hubkit_configurators::recipe::Reader;
use hubkit_configurators::{Change, Host};
use hubkit_contract::Intake;

use crate::context::{Context, Wish};
use crate::report::{Status, StepReport};
use crate::wiring::{self, Wanted};

struct Removal(Vec<String>);

impl Part for Removal {
    fn plan(&self, document: &dyn Reader, _: Surroundings<'_>) -> Result<Intent, Stop> {
        let path: Vec<&str> = self.0.iter().map(String::as_str).collect();
        if document.get(&path).is_none() {
            return Ok(Intent::default());
        }
        Ok(Intent { changes: vec![Change::remove(&path)], ..Intent::default() })
    }
}

/// Removes the entry of the server `name` from the host's file.
pub(crate) fn run(step: &'static str, name: &str, host: Host, intake: &Intake, wish: &Wish) -> StepReport {
    let wish = Wish { keep_absent: true, ..wish.clone() };
    let context = match Context::new(host, intake, &wish) {
        Ok(context) => context,
        Err(no_place) => return no_place.report(step, host, &wish),
    };
    let path = host.recipe().server_path(name).into_iter().map(str::to_owned).collect();
    let so_far = context.report(step, Status::Unchanged);
    let wanted = Wanted { part: Box::new(Removal(path)), so_far: so_far.clone() };
    let report = wiring::apply(&context, vec![wanted]).pop().unwrap_or(so_far);
    StepReport { registered: false, ..report }
}
