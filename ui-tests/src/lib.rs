//! UI tests stand in `tests/ui.rs`, their cases in `cases/`.
