//! The clock of the benches.

use std::time::Duration;

/// Processor time of this thread, so that other load on the machine does not count. Wall clock time
/// if the system has none.
pub fn clock() -> Duration {
    let status = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap_or_default();
    let spent = status.split_whitespace().next().and_then(|nanoseconds| nanoseconds.parse().ok());
    spent.map_or_else(
        || std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap_or_default(),
        Duration::from_nanos,
    )
}
