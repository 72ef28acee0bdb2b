//! The oracles read what their libraries are known to read.

use hubkit_configurators::Value;

use super::{NpmJson5, Pyyaml, Ruamel, Tagged};

fn text(text: &str) -> Tagged {
    Tagged::Str(text.to_owned())
}

fn int(digits: &str) -> Tagged {
    Tagged::Int(digits.to_owned())
}

fn map(entries: &[(&str, Tagged)]) -> Tagged {
    Tagged::Map(entries.iter().map(|(key, value)| (text(key), value.clone())).collect())
}

type Reader = fn(&[u8]) -> Result<Tagged, String>;

const YAML: &[(&str, Reader)] = &[("C", Pyyaml::load), ("pure", Pyyaml::load_pure), ("ruamel", Ruamel::load)];

#[test]
fn yaml_1_1_scalars_keep_their_kinds() {
    let document = "a: yes\nb: 'yes'\nc: 017\nd: 1_000\ne: 12:30:45\nf: .inf\ng: -.INF\nh: ~\ni: 2026-07-20\n\
        j: 1.5\nk: 99999999999999999999\nl: y\nm: 1e3\nn: -0.0\n";
    let expected = map(&[
        ("a", Tagged::Bool(true)),
        ("b", text("yes")),
        ("c", int("15")),
        ("d", int("1000")),
        ("e", int("45045")),
        ("f", Tagged::Float(f64::INFINITY)),
        ("g", Tagged::Float(f64::NEG_INFINITY)),
        ("h", Tagged::Null),
        ("i", Tagged::Date("2026-07-20".to_owned())),
        ("j", Tagged::Float(1.5)),
        ("k", int("99999999999999999999")),
        ("l", text("y")),
        ("m", text("1e3")),
        ("n", Tagged::Float(-0.0)),
    ]);
    assert_eq!(Pyyaml::load(document.as_bytes()), Ok(expected.clone()));
    assert_eq!(Pyyaml::load_pure(document.as_bytes()), Ok(expected));
}

#[test]
fn ruamel_reads_yaml_1_1_too() {
    let found = Ruamel::load(b"a: yes\nc: 017\nd: 1_000\n").unwrap();
    assert_eq!(found, map(&[("a", Tagged::Bool(true)), ("c", int("15")), ("d", int("1000"))]));
}

#[test]
fn yaml_structure_order_duplicates_and_aliases() {
    for (name, load) in YAML {
        let found = load("\u{feff}z: 1\r\na: [x, &n {k: 1}, *n]\r\nz: 2\r\n3: t\r\n".as_bytes()).unwrap();
        let inner = map(&[("k", int("1"))]);
        let expected = Tagged::Map(vec![
            (text("z"), int("2")),
            (text("a"), Tagged::List(vec![text("x"), inner.clone(), inner])),
            (int("3"), text("t")),
        ]);
        assert_eq!(found, expected, "{name}");
    }
}

#[test]
fn yaml_not_a_number_is_an_answer() {
    for (name, load) in YAML {
        assert_eq!(load(b".nan"), Ok(Tagged::Float(f64::NAN)), "{name}");
    }
}

#[test]
fn refusals_are_the_librarys_own_and_the_process_goes_on() {
    for (name, load) in YAML {
        for bad in
            [&b"a: b: c\n"[..], b"a: [\n", b"a: 1\n---\nb: 2\n", b"a: !mine 1\n", b"a: \xff\n", b"&a [*a]"]
        {
            assert!(load(bad).is_err(), "{name}: {}", String::from_utf8_lossy(bad));
        }
        assert_eq!(load(b"ok"), Ok(text("ok")), "{name}");
        assert_eq!(load(b""), Ok(Tagged::Null), "{name}");
    }
}

#[test]
fn deep_documents_do_not_end_the_oracles() {
    let deep = 300;
    let document = format!("{}{}", "[".repeat(deep), "]".repeat(deep));
    for (name, load) in YAML.iter().chain(&[("json5", NpmJson5::load as Reader)]) {
        let mut value = load(document.as_bytes()).unwrap_or_else(|error| panic!("{name}: {error}"));
        for _ in 1..deep {
            let Tagged::List(mut members) = value else { panic!("{name}: {value:?}") };
            value = members.pop().unwrap();
        }
        assert_eq!(value, Tagged::List(Vec::new()), "{name}");
    }
}

#[test]
fn a_document_that_kills_its_reader_is_told_apart_and_the_next_one_is_read() {
    let bomb = "[".repeat(200_000);
    // This one overruns the stack of libyaml's binding.
    assert!(Pyyaml::load(bomb.as_bytes()).unwrap_err().starts_with("the oracle's process ended"));
    assert_eq!(Pyyaml::load(b"'next'"), Ok(text("next")));
    for (name, load) in YAML.iter().chain(&[("json5", NpmJson5::load as Reader)]) {
        assert!(load(&bomb.as_bytes()[..5_000]).is_err(), "{name}");
        assert_eq!(load(b"'next'"), Ok(text("next")), "{name}");
    }
}

#[test]
fn json5_as_npm_reads_it() {
    let document = "\u{feff}{ // a comment\n b: 'x\\u0041', 'a': 0xB4, c: +1, d: -0, e: NaN, f: -Infinity, g: .5,\n\
        h: [1, null, true,], b: \"last\", __proto__: 1 }";
    let number = Tagged::Number;
    let expected = map(&[
        ("b", text("last")),
        ("a", number(180.0)),
        ("c", number(1.0)),
        ("d", number(-0.0)),
        ("e", number(f64::NAN)),
        ("f", number(f64::NEG_INFINITY)),
        ("g", number(0.5)),
        ("h", Tagged::List(vec![number(1.0), Tagged::Null, Tagged::Bool(true)])),
        ("__proto__", number(1.0)),
    ]);
    assert_eq!(NpmJson5::load(document.as_bytes()), Ok(expected));
    assert!(NpmJson5::load_strict(document.as_bytes()).is_err());
    assert_eq!(NpmJson5::load_strict(b"{\"a\": 1}"), Ok(map(&[("a", number(1.0))])));
    for bad in [&b"{a: 1"[..], b"{a 1}", b"", b"{a: 1} {}", b"{a: '\xff'}"] {
        assert!(NpmJson5::load(bad).is_err(), "{}", String::from_utf8_lossy(bad));
    }
}

#[test]
fn agreement_with_our_values_is_by_value_and_names_the_place() {
    let theirs = Pyyaml::load(b"a: {b: [1, 2.5, x]}\nd: 2026-07-20\nn: 99999999999999999999\n").unwrap();
    let list = |last: &str| Value::List(vec![Value::Int(1), Value::Float(2.5), Value::from(last)]);
    let ours = |last: &str| {
        Value::Map(vec![
            ("n".to_owned(), Value::Float(1e20)),
            ("d".to_owned(), Value::Other("2026-07-20".to_owned())),
            ("a".to_owned(), Value::Map(vec![("b".to_owned(), list(last))])),
        ])
    };
    assert_eq!(theirs.agrees_with(&ours("x")), Ok(()));
    let difference = theirs.agrees_with(&ours("y")).unwrap_err();
    assert!(difference.starts_with("at $.a.b[2]: "), "{difference}");
    assert_eq!(theirs.at(&["a", "b"]), theirs.get("a").and_then(|a| a.get("b")));

    let theirs = NpmJson5::load(b"{a: 0xB4, b: -0}").unwrap();
    let ours =
        |b: f64| Value::Map(vec![("a".to_owned(), Value::Int(180)), ("b".to_owned(), Value::Float(b))]);
    assert_eq!(theirs.agrees_with(&ours(-0.0)), Ok(()));
    assert!(theirs.agrees_with(&ours(0.0)).is_err());
}
