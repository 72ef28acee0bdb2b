//! Wires an AI agent to its Hub: bootstrap, wake, prove, broker.

fn main() {}
