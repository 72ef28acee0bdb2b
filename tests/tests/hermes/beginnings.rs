//! The homes that the tests of the whole way begin with.

use hubkit_tests::fixtures;
use hubkit_tests::scratch_home::ScratchHome;

/// A large commented configuration.
pub(crate) fn commented() -> ScratchHome {
    ScratchHome::hermes().with(&fixtures::read("hermes/commented-80k.yaml"))
}

/// A short commented configuration with an indentation of four.
pub(crate) fn sample() -> ScratchHome {
    ScratchHome::hermes().with(&fixtures::read("hermes/sample.yaml"))
}

/// No configuration at all.
pub(crate) fn nothing() -> ScratchHome {
    ScratchHome::hermes()
}
