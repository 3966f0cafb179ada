//! What the checks can find.
