//! YAML as PyYAML reads it (1.1), edited without losing a byte.
