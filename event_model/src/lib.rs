//! The event model: a discrete-event run of window transfers, which tells when each kernel works,
//! waits and finishes.
//!
//! Takes a verified design and a timing profile. Returns cycles, or a diagnostic if the kernels
//! deadlock. Windows, locks, DMA and collective calls take the time of the profile. All other work
//! of a kernel takes the `cycles` of its design, or no time if the design does not state them. The
//! model:
//!
//! - all kernels start at cycle 0 and fire as often as the graph runs;
//! - a firing acquires its synchronous windows, inputs first. Then it uses its asynchronous user
//!   windows as often as the design states, or once each, outputs before inputs. Then it makes all
//!   calls of each of its collectives, in declaration order. Then it releases the synchronous
//!   windows;
//! - a firing starts to write its streams and cascades when it has its synchronous windows.
//!   After its asynchronous windows come its own cycles, which begin with the first word of
//!   each input. It waits for the other words it reads after these and before its collectives,
//!   and then writes its last words. So writes, own work and reads of a firing proceed
//!   together, as words flow. Where data come back to a kernel, or an end locks windows itself,
//!   no word waits for work: the order of reads and writes in a firing is not known, and this
//!   one stops the least. A stream holds the words of one firing at each end, and those of its
//!   FIFO. A firing takes as many packets from a merge as its senders send meanwhile, one in
//!   each of their firings;
//! - a collective call goes chunk by chunk: acquire children and parent or result, combine, release
//!   in reverse order. The constant part of a node's time comes before it acquires anything, so
//!   that it overlaps with waiting, as it does on hardware (thesis 4.5.3);
//! - along a cascade a call begins when all ranks have arrived, and passes all of them at one pace,
//!   each some cycles after the one before. The model ignores the four vectors that fit between two
//!   cores;
//! - a buffer is a token. Through shared memory, producer and consumer pass the same one or two
//!   buffers. A net has buffers at both ends, starts when one is full at the source and one is free
//!   at every sink, and carries 32 bits a cycle;
//! - inputs of the array always have the next window, outputs always take it. A PLIO moves its
//!   width in each cycle of its own clock. All GMIO share the rate of global memory, as if all of
//!   them moved data all the time. The first block of a GMIO comes later by the first access to
//!   global memory;
//! - an option counts conflicts of memory banks (`banks`).

mod awaited;
mod banks;
mod calls;
mod dealt;
mod edge;
mod engine;
mod errors;
mod floors;
mod ideal;
mod joint;
mod links;
mod logp;
mod path;
mod program;
mod report;
mod results;
mod run;
mod spread;
mod steps;
mod time;
mod trace;
mod words;

pub use errors::single_on_path;
pub use floors::{Floor, Floors, floors};
pub use logp::{LogP, logp};
pub use path::{Leg, LegKind, Path, Spent};
pub use report::{CollectiveTimes, KernelTimes, Progress, Spread, Timeline, Watch};
pub use run::{perfect, run, traced, with_path};
pub use trace::{CHANNELS, KERNELS, LOCKS, NETS, Other, Trace, TraceEvent, TrackName};
