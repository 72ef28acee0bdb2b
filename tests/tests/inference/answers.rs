//! Every answer that a Hub gives, or what stands in its place, with earlier values at hand and without.

use std::fs;
use std::thread;

use hubkit_contract::{exit, limits};
use hubkit_dev_hub::{CHAT_MODEL, ChatModel, Inference, Instead, Script};

use crate::scene::{REAL_KEY, Ran, Scene, both};

/// A mood in which the Hub hands out nothing.
struct Mood {
    name: &'static str,
    /// What is answered; `None` is a Hub that is not there.
    instead: Option<Instead>,
    /// Part of the reason.
    says: &'static str,
    /// The exit code of a strict boot.
    strict: u8,
    /// How often the Hub is asked where earlier values are at hand; `None` where it is asked again and again.
    asked: Option<usize>,
}

fn moods() -> Vec<Mood> {
    let mood =
        |name, instead, says, strict, asked| Mood { name, instead: Some(instead), says, strict, asked };
    vec![
        mood("403", Instead::Status(403), "HTTP 403", exit::CREDENTIAL_REFUSED, Some(1)),
        mood("401", Instead::Status(401), "HTTP 401", exit::CREDENTIAL_REFUSED, Some(1)),
        mood("404", Instead::Status(404), "does not know this app", exit::PROTOCOL, Some(1)),
        mood("400", Instead::Status(400), "does not hand out version 1", exit::PROTOCOL, Some(1)),
        mood("500", Instead::Status(500), "HTTP 500", exit::UNREACHABLE, Some(1)),
        mood("503", Instead::Status(503), "HTTP 503", exit::UNREACHABLE, None),
        mood("429, come back in an hour", Instead::Busy(3600), "HTTP 429", exit::UNREACHABLE, Some(1)),
        mood("a page", Instead::Page, "HTTP 200 without JSON", exit::PROTOCOL, Some(1)),
        mood(
            "too much",
            Instead::Padded(limits::HUB_ANSWER_BYTES + 1),
            "an answer of more than 8388608 bytes",
            exit::PROTOCOL,
            Some(1),
        ),
        mood(
            "another origin",
            Instead::Redirect("http://127.0.0.2:9/elsewhere".to_owned()),
            "which is not followed",
            exit::PROTOCOL,
            Some(1),
        ),
        mood("silence", Instead::Silence, "no answer within 3s", exit::TIMEOUT, Some(0)),
        Mood {
            name: "not there",
            instead: None,
            says: "the Hub is unreachable",
            strict: exit::UNREACHABLE,
            asked: None,
        },
    ]
}

fn scripted(script: Script) -> Inference {
    Inference { script: Some(script), ..Inference::default() }
}

impl Scene {
    fn be(&mut self, mood: &Mood) {
        match mood.instead.clone() {
            Some(instead) => self.serve(scripted(Script::always(instead))),
            None => self.stop(),
        }
    }
}

/// Most of these wait for a Hub, not for a processor, so all of them run at once.
fn all_at_once(work: impl Fn(&Mood) + Sync) {
    thread::scope(|scope| {
        let work = &work;
        let running: Vec<_> =
            moods().into_iter().map(|mood| (mood.name, scope.spawn(move || work(&mood)))).collect();
        let failed: Vec<_> =
            running.into_iter().filter_map(|(name, run)| run.join().is_err().then_some(name)).collect();
        assert!(failed.is_empty(), "{failed:?}");
    });
}

#[test]
fn what_the_hub_said_before_stays_in_use_and_is_marked() {
    all_at_once(|mood| {
        for mut scene in both() {
            let first = scene.boot();
            assert_eq!(first.code, Some(0), "{}: {}", mood.name, first.err);
            let (values, config) = (scene.kept(), scene.config_text());
            scene.be(mood);
            let ran = scene.boot();
            assert_eq!(ran.ended(), (Some(0), "stale"), "{}: {}", mood.name, ran.err);
            assert!(ran.reason().contains(mood.says), "{}: {}", mood.name, ran.reason());
            assert!(ran.reason().ends_with("; what it said before is used"), "{}", ran.reason());
            assert_eq!(ran.agent, first.agent, "{}: the agent starts with what was there", mood.name);
            assert_eq!((scene.kept(), scene.config_text()), (values, config), "{}", mood.name);
            let marked = scene.env_text();
            assert_eq!(marked.lines().nth(1), Some(&*format!("# stale: {}", ran.reason())), "{marked}");
            if mood.instead.is_some() {
                let asked = scene.asked();
                let is_right = mood.asked.map_or(asked > 1, |expected| asked == expected);
                assert!(is_right, "{}: asked {asked} times", mood.name);
            }
        }
    });
}

#[test]
fn a_strict_boot_ends_by_the_code_of_what_went_wrong() {
    all_at_once(|mood| {
        let mut scene = Scene::hermes(Inference::default());
        scene.boot();
        scene.be(mood);
        let strict = scene.boot_with(&["--strict"], &[]);
        assert_eq!(strict.code, Some(i32::from(mood.strict)), "{}: {}", mood.name, strict.err);
        assert!(strict.agent.is_none(), "{}: the agent was started", mood.name);
        let alone = scene.alone(&[], &[]);
        assert_eq!(alone.ended(), (Some(0), "stale"), "{}: old values count as done", mood.name);
    });
}

#[test]
fn an_older_unquoted_file_is_written_anew_while_the_hub_is_away() {
    let old = "export HERMES_OPENAI_BASE_URL=http://hub:1/v1\nHERMES_OPENAI_API_KEY=ollama\n\
        HERMES_DEFAULT_MODEL=\"old model\"\nUNLISTED=x\n";
    let mut scene = Scene::hermes(Inference::default());
    scene.stop();
    scene.put_with(".env.hub-bootstrap", old, 0o644);
    let ran = scene.boot();
    assert_eq!(ran.ended(), (Some(0), "stale"), "{}", ran.err);
    let text = scene.env_text();
    assert!(text.contains("HERMES_DEFAULT_MODEL='old model'\n") && !text.contains("UNLISTED"), "{text}");
    assert_eq!(ran.agent("HERMES_DEFAULT_MODEL"), Some("old model"));
    assert!(text.starts_with("# Written by hubkit") && text.contains("\n# stale: the Hub is unreachable"));
}

#[test]
fn the_mark_goes_when_the_hub_is_back() {
    for mut scene in both() {
        scene.boot();
        let fresh = scene.env_text();
        scene.serve(scripted(Script::always(Instead::Status(403))));
        assert_eq!(scene.boot().status(), "stale");
        assert_ne!(scene.env_text(), fresh);
        scene.serve(Inference::default());
        let back = scene.boot();
        assert_eq!(back.ended(), (Some(0), "changed"), "{}", back.err);
        assert_eq!(scene.env_text(), fresh);
    }
}

#[test]
fn with_nothing_at_hand_final_answers_end_the_step_at_once() {
    all_at_once(|mood| {
        if mood.asked != Some(1) {
            return;
        }
        // Only this one is worth waiting for, below.
        if mood.name == "403" {
            return;
        }
        for mut scene in both() {
            scene.be(mood);
            let ran = scene.boot();
            skipped(mood.name, &scene, &ran, mood.says);
            assert_eq!(scene.asked(), 1, "{}", mood.name);
            let strict = scene.boot_with(&["--strict"], &[]);
            assert_eq!(strict.code, Some(i32::from(mood.strict)), "{}: {}", mood.name, strict.err);
            assert!(strict.agent.is_none(), "{}: the agent was started", mood.name);
        }
    });
}

/// These take the whole time that a first boot may wait, all at once.
#[test]
fn with_nothing_at_hand_the_hub_is_waited_for() {
    let scene_in = |script: Script| {
        let mut scene = Scene::hermes(Inference::default());
        scene.serve(scripted(script));
        scene
    };
    thread::scope(|scope| {
        let late = scope.spawn(|| {
            for status in [403, 503] {
                let scene = scene_in(Script::first(2, Instead::Status(status)));
                let ran = scene.boot();
                assert_eq!(ran.ended(), (Some(0), "changed"), "{status}: {}", ran.err);
                assert_eq!((scene.asked(), ran.agent("HERMES_DEFAULT_MODEL")), (3, Some(CHAT_MODEL)));
            }
        });
        let refused = scope.spawn(|| {
            let scene = scene_in(Script::always(Instead::Status(403)));
            let ran = scene.boot();
            skipped("403 for ever", &scene, &ran, "HTTP 403");
            assert!(scene.asked() > 2, "{}", scene.asked());
        });
        let strict = scope.spawn(|| {
            let scene = scene_in(Script::always(Instead::Status(403)));
            let ran = scene.boot_with(&["--strict"], &[]);
            assert_eq!((ran.code, ran.agent), (Some(3), None), "{}", ran.err);
        });
        let away = scope.spawn(|| {
            let mut scene = Scene::openclaw(Inference::default());
            scene.stop();
            skipped("not there", &scene, &scene.boot(), "the Hub is unreachable");
        });
        for run in [late, refused, strict, away] {
            run.join().unwrap();
        }
    });
}

/// Nothing was there and nothing came: the agent starts, and nothing is written.
fn skipped(name: &str, scene: &Scene, ran: &Ran, says: &str) {
    assert_eq!(ran.ended(), (Some(0), "skipped"), "{name}: {}", ran.err);
    assert!(ran.reason().contains(says) && !ran.reason().contains("before"), "{name}: {}", ran.reason());
    assert_eq!(ran.agent(scene.app().base_url()), None, "{name}");
    assert!(!scene.agent_home().exists(), "{name}: {:?}", fs::read_dir(scene.agent_home()));
}

#[test]
fn a_model_that_is_still_starting_takes_none_away() {
    for mut scene in both() {
        scene.serve(Inference { chat_model: ChatModel::Ready("old:7b".to_owned()), ..Inference::default() });
        scene.boot();
        let config = scene.config_text();
        assert!(config.contains("old:7b"), "{config}");
        scene.serve(Inference { chat_model: ChatModel::Starting, ..Inference::default() });
        let ran = scene.boot();
        assert_eq!(ran.code, Some(0), "{}", ran.err);
        assert!(ran.notices().contains("still preparing its model"), "{}", ran.notices());
        let app = scene.app();
        assert_eq!(ran.agent(app.model()), Some("old:7b"), "the model is not managed while it starts");
        let kept = scene.kept();
        assert_eq!(kept.get(app.model()).map(String::as_str), Some("old:7b"));
        assert!(!kept.contains_key(app.num_ctx()), "the context is managed: {kept:?}");
        let config = scene.config_text();
        assert!(config.contains("old:7b"), "{config}");
    }
}

#[test]
fn a_first_boot_while_the_model_starts_writes_no_model() {
    let starting = Inference { chat_model: ChatModel::Starting, ..Inference::default() };
    let scene = Scene::hermes(starting);
    let ran = scene.boot();
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    assert!(ran.reason().contains("names no model yet"), "{ran:?}");
    assert_eq!(scene.config_text(), "", "Hermes would ask for a model without a name");
    assert!(scene.kept().contains_key("HERMES_OPENAI_BASE_URL"));
}

#[test]
fn no_usable_model_is_said_and_what_stands_in_the_hosts_file_stays() {
    for mut scene in both() {
        scene.boot();
        let config = scene.config_text();
        let why = "no model fits:\nthis machine has 4 GB\u{1b}[31m";
        scene.serve(Inference { chat_model: ChatModel::Refused(why.to_owned()), ..Inference::default() });
        let ran = scene.boot();
        assert_eq!(ran.ended(), (Some(0), "stale"), "{}", ran.err);
        let said = "no model fits: this machine has 4 GB?[31m";
        assert_eq!(ran.reason(), format!("the Hub has no usable model: {said}"));
        let kept = scene.kept();
        let app = scene.app();
        assert!(!kept.contains_key(app.model()) && !kept.contains_key(app.num_ctx()), "{kept:?}");
        assert_eq!(kept["CI_INFERENCE_ERROR"], said);
        assert_eq!((ran.agent(app.model()), ran.agent("CI_INFERENCE_ERROR")), (None, Some(said)));
        assert_eq!(scene.config_text(), config, "the host keeps what it has");
        let strict = scene.boot_with(&["--strict"], &[]);
        assert_eq!((strict.code, strict.agent), (Some(i32::from(exit::NOTHING_THERE)), None));
        assert_eq!(scene.alone(&[], &[]).code, Some(0));
    }
}

#[test]
fn a_first_boot_without_a_usable_model_chooses_none() {
    for mut scene in both() {
        let none = ChatModel::Refused("none fits".to_owned());
        scene.serve(Inference { chat_model: none, ..Inference::default() });
        let ran = scene.boot();
        assert_eq!(ran.ended(), (Some(0), "stale"), "{}", ran.err);
        let config = scene.config_text();
        assert!(!config.contains("primary") && !config.contains("default:"), "{config}");
    }
}

#[test]
fn a_managed_variable_that_is_gone_goes_from_the_file_and_a_later_one_comes() {
    for mut scene in both() {
        let extra = |name: &str, value: &str| Inference {
            extra: vec![(name.to_owned(), value.to_owned())],
            ..Inference::default()
        };
        scene.serve(extra("CI_CLOUD_ANTHROPIC_API_KEY", REAL_KEY));
        let first = scene.boot();
        assert_eq!(first.agent("CI_CLOUD_ANTHROPIC_API_KEY"), Some(REAL_KEY));
        scene.serve(extra("CI_CLOUD_GOOGLE_MODEL", "gemini"));
        let second = scene.boot();
        assert_eq!(second.ended(), (Some(0), "changed"), "{}", second.err);
        assert!(!scene.env_text().contains(REAL_KEY), "{}", scene.env_text());
        assert_eq!(second.agent("CI_CLOUD_ANTHROPIC_API_KEY"), None);
        assert_eq!(second.agent("CI_CLOUD_GOOGLE_MODEL"), Some("gemini"));
    }
}

#[test]
fn another_model_replaces_the_one_that_the_hub_chose_before() {
    for mut scene in both() {
        scene.boot();
        scene.serve(Inference { chat_model: ChatModel::Ready("new:1b".to_owned()), ..Inference::default() });
        let ran = scene.boot();
        assert_eq!(ran.ended(), (Some(0), "changed"), "{}", ran.err);
        assert_eq!(scene.kept()[scene.app().model()], "new:1b");
        let config = scene.config_text();
        let wanted = ["  default: \"new:1b\"", "\"primary\": \"ci-hub/new:1b\""];
        assert!(wanted.iter().any(|wanted| config.contains(wanted)), "{config}");
        assert_eq!(scene.boot().status(), "unchanged");
    }
}
