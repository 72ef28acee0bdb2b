//! The golden tables of both hosts.

use hubkit_configurators::Host;
use hubkit_tests::fixtures;

use crate::table::{self, Case, Table};
use crate::wiring::{Entry, Round};

/// The environment variable under which the golden files are written anew from what the editors do. The test
/// fails all the same, so that nobody takes the new files for checked.
const WRITE: &str = "HUBKIT_GOLDEN";

fn hold(host: Host) {
    let name = format!("golden/{}.txt", host.recipe().host);
    let mut table = table::parse(&String::from_utf8(fixtures::read(&name)).unwrap());
    assert!(table.cases.len() >= 25, "{name} has {} cases", table.cases.len());
    let mut faults = Vec::new();
    for case in &mut table.cases {
        let Round { added, removed } = Entry::hub(host).round(case.original.as_deref());
        if removed != case.original {
            let shown = removed.as_deref().map(table::shown);
            faults.push(format!("{}: the removal leaves\n{}", case.name, shown.unwrap_or_default()));
        }
        if added != case.added {
            faults.push(format!("{}: wiring writes\n{}", case.name, table::shown(&added)));
            case.added = added;
        }
    }
    if std::env::var(WRITE).is_ok() {
        std::fs::write(fixtures::path(&name), table::written(&table)).unwrap();
        panic!("{name} was written anew: look at the difference, then run without {WRITE}");
    }
    assert!(faults.is_empty(), "{name}:\n{}", faults.join("\n"));
}

#[test]
fn hermes() {
    hold(Host::Hermes);
}

#[test]
fn openclaw() {
    hold(Host::OpenClaw);
}

#[test]
fn a_table_is_written_as_it_is_read() {
    for host in ["hermes", "openclaw"] {
        let text = String::from_utf8(fixtures::read(&format!("golden/{host}.txt"))).unwrap();
        assert_eq!(table::written(&table::parse(&text)), text);
    }
    let odd = Case {
        name: "odd".to_owned(),
        original: Some("\u{feff}a\r\n\tb".to_owned()),
        added: "\n".to_owned(),
        about: "everything that cannot be seen".to_owned(),
    };
    let odd = Table { head: "# h\n".to_owned(), cases: vec![odd] };
    let text = "# h\n== odd: everything that cannot be seen\n-- original\n[BOM]a␍\n␉b¬\n-- added\n\n";
    assert_eq!(table::written(&odd), text);
    assert_eq!(table::written(&table::parse(text)), text);
}
