//! What an agent may have put where the step's file belongs, found by the next boot, which root makes: nothing
//! runs, nothing is read elsewhere, no link is followed, and the agent starts.

use std::fs;
use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _, chown, symlink};
use std::path::Path;

use hubkit_contract::limits::CONFIG_FILE_BYTES;
use hubkit_dev_hub::{CHAT_MODEL, Inference};
use hubkit_tests::privilege;
use rustix::fs::{CWD, FileType, Mode, mknodat};

use crate::scene::{Scene, both};

/// The agent's user and group, as in OpenClaw's image.
const AGENT: u32 = 1000;

/// Text of another user's file that must appear nowhere.
const SECRET: &str =
    "OPENAI_API_BASE='http://canary-of-another-user/v1'\nDEFAULT_MODEL='canary-of-another-user'\n";

/// What a shell would run, and what no file of ours holds.
const COMMANDS: &str = "touch pwned\n. ./pwned.sh\nLD_PRELOAD=/tmp/evil.so\nexport PATH=/tmp/evil\n\
    NODE_OPTIONS='--require /tmp/evil'\nOLLAMA_HOST=$(touch pwned)\nCI_INFERENCE_BACKEND=`touch pwned`\n\
    CI_CLOUD_OPENAI_MODEL='open\nCI_CLOUD_GOOGLE_MODEL=\"open\nANTHROPIC_API_KEY='a' ; touch pwned\n\
    GOOGLE_API_KEY=a\u{1b}b\neval \"touch pwned\"\nfunction touch { :; }\n=x\n\u{0}\u{1}\n";

/// Makes everything in the agent's home the agent's own.
fn hand_over(scene: &Scene) {
    fs::create_dir_all(scene.agent_home()).unwrap();
    for path in [scene.path().to_owned(), scene.agent_home(), scene.env_file(), scene.config()] {
        if path
            .symlink_metadata()
            .is_ok_and(|metadata| !metadata.is_symlink() && metadata.nlink() < 2 || metadata.is_dir())
        {
            chown(path, Some(AGENT), Some(AGENT)).unwrap();
        }
    }
}

fn belongs_to_the_agent(path: &Path) -> bool {
    let metadata = fs::metadata(path).unwrap();
    (metadata.uid(), metadata.gid(), metadata.permissions().mode() & 0o7777) == (AGENT, AGENT, 0o600)
}

#[test]
fn a_file_that_the_agent_wrote_is_data() {
    privilege::as_root("planted::a_file_that_the_agent_wrote_is_data", || {
        for hub_is_there in [true, false] {
            for mut scene in both() {
                let base = scene.app().base_url();
                scene.put(".env.hub-bootstrap", &format!("{COMMANDS}{base}=http://old:1/v1\n"));
                scene.put("pwned.sh", "touch pwned\n");
                hand_over(&scene);
                if !hub_is_there {
                    scene.stop();
                }
                let ran = scene.boot();
                assert_eq!(ran.code, Some(0), "{}", ran.err);
                assert!(belongs_to_the_agent(&scene.env_file()));
                let kept = scene.kept();
                if hub_is_there {
                    assert!(belongs_to_the_agent(&scene.config()));
                } else {
                    assert_eq!(ran.status(), "stale", "{}", ran.err);
                    assert_eq!(kept.keys().collect::<Vec<_>>()[..1], [base], "{kept:?}");
                }
                let agent = ran.agent.as_ref().unwrap();
                for text in kept.values().chain(agent.values()) {
                    assert!(!text.contains("evil") && !text.contains("touch"), "{kept:?} {agent:?}");
                }
                assert_eq!(ran.agent("PATH"), std::env::var("PATH").ok().as_deref());
                assert!(!ran.err.contains(['\u{1b}', '\0']), "{:?}", ran.err);
                for place in [scene.path(), &scene.agent_home()] {
                    assert!(!place.join("pwned").exists());
                }
            }
        }
    });
}

/// Something in the file's place, and how the boot ends.
struct Planted {
    name: &'static str,
    plant: fn(&Scene),
    code: i32,
}

const PLANTED: &[Planted] = &[
    Planted {
        name: "a file past the limit",
        plant: |scene| {
            scene.put(".env.hub-bootstrap", "DEFAULT_MODEL='x'\n");
            fs::File::options()
                .write(true)
                .open(scene.env_file())
                .and_then(|file| file.set_len(CONFIG_FILE_BYTES as u64 + 1))
                .unwrap();
        },
        code: 65,
    },
    Planted {
        name: "a pipe that nobody writes to",
        plant: |scene| {
            mknodat(CWD, scene.env_file(), FileType::Fifo, Mode::from_raw_mode(0o600), 0).unwrap();
        },
        code: 73,
    },
    Planted {
        name: "a link to the password file",
        plant: |scene| symlink("/etc/shadow", scene.env_file()).unwrap(),
        code: 73,
    },
    Planted {
        name: "a link to another user's file",
        plant: |scene| symlink(scene.path().join("other"), scene.env_file()).unwrap(),
        code: 73,
    },
    Planted {
        name: "a link to where nothing is",
        plant: |scene| symlink(scene.path().join("new"), scene.env_file()).unwrap(),
        code: 73,
    },
    Planted {
        name: "a second name of another user's file",
        plant: |scene| fs::hard_link(scene.path().join("other"), scene.env_file()).unwrap(),
        code: 73,
    },
    Planted { name: "a directory", plant: |scene| fs::create_dir(scene.env_file()).unwrap(), code: 73 },
    Planted {
        name: "root's own file",
        plant: |scene| {
            scene.put(".env.hub-bootstrap", "DEFAULT_MODEL='x'\n");
            chown(scene.env_file(), Some(0), Some(0)).unwrap();
        },
        code: 73,
    },
];

#[test]
fn what_is_no_file_of_ours_is_neither_read_nor_followed() {
    privilege::as_root("planted::what_is_no_file_of_ours_is_neither_read_nor_followed", || {
        for planted in PLANTED {
            let scene = Scene::openclaw(Inference::default());
            let other = scene.path().join("other");
            fs::write(&other, SECRET).unwrap();
            fs::set_permissions(&other, fs::Permissions::from_mode(0o600)).unwrap();
            let shadow = fs::read("/etc/shadow").ok();
            fs::create_dir_all(scene.agent_home()).unwrap();
            (planted.plant)(&scene);
            if planted.name == "root's own file" {
                chown(scene.agent_home(), Some(AGENT), Some(AGENT)).unwrap();
                chown(scene.path(), Some(AGENT), Some(AGENT)).unwrap();
            } else {
                hand_over(&scene);
            }
            let before = fs::symlink_metadata(scene.env_file()).unwrap();

            let alone = scene.alone(&[], &[]);
            assert_eq!(alone.ended(), (Some(planted.code), "refused"), "{}: {}", planted.name, alone.err);
            let place = scene.env_file().display().to_string();
            assert!(alone.err.contains(&place), "{}: {}", planted.name, alone.err);
            let ran = scene.boot();
            assert_eq!(ran.code, Some(0), "{}: the agent starts: {}", planted.name, ran.err);
            assert!(ran.err.contains("started all the same"), "{}: {}", planted.name, ran.err);
            let strict = scene.boot_with(&["--strict"], &[]);
            assert_eq!((strict.code, strict.agent), (Some(planted.code), None), "{}", planted.name);

            let after = fs::symlink_metadata(scene.env_file()).unwrap();
            assert_eq!(
                (after.ino(), after.mode(), after.uid(), after.size(), after.mtime_nsec()),
                (before.ino(), before.mode(), before.uid(), before.size(), before.mtime_nsec()),
                "{}: it was touched",
                planted.name
            );
            assert_eq!(fs::read_to_string(&other).unwrap(), SECRET, "{}", planted.name);
            assert_eq!(fs::read("/etc/shadow").ok(), shadow, "{}", planted.name);
            assert!(!scene.path().join("new").exists(), "{}", planted.name);
            let printed = format!("{}{}{}{}", alone.out, alone.err, ran.out, ran.err);
            assert!(!printed.contains("canary") && !printed.contains("root:"), "{}: {printed}", planted.name);
            let config = scene.config_text();
            assert!(!config.contains("canary") && config.contains(CHAT_MODEL), "{}: {config}", planted.name);
        }
    });
}

#[test]
fn a_file_at_the_limit_is_read_and_made_small() {
    privilege::as_root("planted::a_file_at_the_limit_is_read_and_made_small", || {
        let mut scene = Scene::openclaw(Inference::default());
        let mut text = "touch pwned\n".repeat(CONFIG_FILE_BYTES / 12);
        text.push_str(&"#".repeat(CONFIG_FILE_BYTES - text.len()));
        let known = "\nDEFAULT_MODEL='old:7b'\n";
        text.replace_range(text.len() - known.len().., known);
        assert_eq!(text.len(), CONFIG_FILE_BYTES);
        scene.put(".env.hub-bootstrap", &text);
        hand_over(&scene);
        scene.stop();
        let ran = scene.boot();
        assert_eq!(ran.ended(), (Some(0), "stale"), "{}", ran.err);
        assert_eq!(
            scene.kept().into_iter().collect::<Vec<_>>(),
            [("DEFAULT_MODEL".to_owned(), "old:7b".to_owned())]
        );
        assert!(fs::metadata(scene.env_file()).unwrap().len() < 1000);
    });
}

/// The configuration itself may be a link, too; the rules of its replacement hold for this step as well.
#[test]
fn a_linked_configuration_of_another_user_is_refused() {
    privilege::as_root("planted::a_linked_configuration_of_another_user_is_refused", || {
        for scene in both() {
            let other = scene.path().join("other");
            fs::write(&other, "{}").unwrap();
            hand_over(&scene);
            symlink(&other, scene.config()).unwrap();
            let ran = scene.boot();
            assert_eq!(ran.ended(), (Some(0), "refused"), "{}", ran.err);
            assert_eq!(fs::read_to_string(&other).unwrap(), "{}");
            assert_eq!(scene.alone(&[], &[]).code, Some(73));
        }
    });
}
