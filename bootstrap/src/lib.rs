//! Boot plans: from the environment to edits of the host's files, then exec.
