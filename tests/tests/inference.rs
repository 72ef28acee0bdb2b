//! `hubkit bootstrap HOST --steps inference` against a Hub in every mood, and against what an agent may have left
//! behind: what reaches the agent, its file and its environment, and what never does.

#![expect(clippy::unwrap_used, clippy::panic, reason = "a test that cannot go on fails here")]

#[path = "inference/answers.rs"]
mod answers;
#[path = "inference/canaries.rs"]
mod canaries;
#[path = "inference/choices.rs"]
mod choices;
#[path = "inference/credentials.rs"]
mod credentials;
#[path = "inference/first_boots.rs"]
mod first_boots;
#[path = "inference/hostile.rs"]
mod hostile;
#[path = "inference/models.rs"]
mod models;
#[path = "inference/planted.rs"]
mod planted;
#[path = "inference/precedence.rs"]
mod precedence;
#[path = "inference/scene.rs"]
mod scene;
#[path = "inference/turns.rs"]
mod turns;
