//! JSON5 as npm `json5` reads it, edited without losing a byte.
