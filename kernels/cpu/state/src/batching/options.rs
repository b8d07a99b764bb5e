//! What a node says of the batches that its calls become part of.

use std::time::Duration;

use oplink::prelude::*;
use oplink_ops::state::{BatchAttrs, BatchFunctionAttrs, BatchPaddingPolicy};

/// Threads of one scheduler at most.
const MOST_THREADS: usize = 64;

/// Sizes, times and threads.
#[derive(Clone, Debug)]
pub(super) struct Options {
    pub(super) threads: usize,
    /// Rows of a call at most.
    most_rows: usize,
    pub(super) timeout: Duration,
    /// Batches of a queue that wait at most.
    pub(super) most_batches: usize,
    allowed_sizes: Vec<i64>,
    /// Whether a call may be parted among several batches.
    pub(super) splits: bool,
    pub(super) pads_down: bool,
}

impl Options {
    pub(super) fn of_batch(attrs: &BatchAttrs<'_>) -> Result<Self> {
        let threads = attrs.num_batch_threads;
        ensure!(threads > 0, "num_batch_threads must be greater than 0, it is {threads}");
        let raw = Raw {
            threads,
            most_rows: attrs.max_batch_size,
            timeout: attrs.batch_timeout_micros,
            most_batches: attrs.max_enqueued_batches,
            allowed_sizes: attrs.allowed_batch_sizes,
        };
        raw.check(false, false)
    }

    pub(super) fn of_function(attrs: &BatchFunctionAttrs<'_>) -> Result<Self> {
        let threads = attrs.num_batch_threads;
        let chosen = || std::thread::available_parallelism().map_or(1, std::num::NonZero::get) as i64;
        let raw = Raw {
            threads: if threads > 0 { threads } else { chosen() },
            most_rows: attrs.max_batch_size,
            timeout: attrs.batch_timeout_micros,
            most_batches: attrs.max_enqueued_batches,
            allowed_sizes: attrs.allowed_batch_sizes,
        };
        raw.check(attrs.enable_large_batch_splitting, attrs.batch_padding_policy == BatchPaddingPolicy::BatchDown)
    }

    /// Rows of a batch at most.
    pub(super) fn batch_rows(&self) -> usize {
        let largest = self.allowed_sizes.last().and_then(|&size| usize::try_from(size).ok());
        largest.filter(|&size| self.splits && size > 0).unwrap_or(self.most_rows)
    }

    /// # Errors
    /// A call has more rows than it may.
    pub(super) fn check_rows(&self, rows: usize) -> Result<()> {
        let most = self.most_rows;
        ensure!(rows <= most, "the inputs have {rows} rows, a call may have {most} at most: see max_batch_size");
        Ok(())
    }

    /// The error of a call that needs another batch than those that wait.
    #[cold]
    pub(super) fn too_many(&self, waiting: usize) -> Error {
        let most = self.most_batches;
        let message = format!(
            "{waiting} batches wait and the call needs more, max_enqueued_batches is {most}: call less often, or allow \
             more batches or threads"
        );
        Error::new(Code::Unavailable, ErrorKind::KernelFailed, message)
    }

    /// The rows that a batch of so many is padded to.
    pub(super) fn padded(&self, rows: usize) -> usize {
        let sizes = self.allowed_sizes.iter().filter_map(|&size| usize::try_from(size).ok());
        sizes.into_iter().find(|&size| size >= rows).unwrap_or(rows)
    }

    /// The largest allowed size below a number of rows that is no allowed size.
    pub(super) fn size_below(&self, rows: usize) -> Option<usize> {
        let sizes = || self.allowed_sizes.iter().filter_map(|&size| usize::try_from(size).ok());
        if sizes().any(|size| size == rows) {
            return None;
        }
        sizes().rfind(|&size| size > 0 && size < rows)
    }
}

/// The attrs as they are.
struct Raw<'a> {
    threads: i64,
    most_rows: i64,
    timeout: i64,
    most_batches: i64,
    allowed_sizes: &'a [i64],
}

impl Raw<'_> {
    fn check(self, splits: bool, pads_down: bool) -> Result<Options> {
        let Self { threads, most_rows, timeout, most_batches, allowed_sizes } = self;
        ensure!(most_rows != 0, "max_batch_size must not be 0; a negative one means any number of rows");
        let Ok(timeout) = u64::try_from(timeout) else {
            bail!("batch_timeout_micros must not be negative, it is {timeout}")
        };
        let increases = allowed_sizes.windows(2).all(|pair| pair[0] < pair[1]);
        ensure!(increases, "allowed_batch_sizes must increase, they are {allowed_sizes:?}");
        if let Some(&last) = allowed_sizes.last() {
            let fits = if splits { last <= most_rows } else { last == most_rows };
            let wanted = if splits { "be at most" } else { "end with" };
            ensure!(fits, "allowed_batch_sizes must {wanted} max_batch_size, {most_rows}; they are {allowed_sizes:?}");
        }
        // A negative number is none that is ever reached.
        let unlimited = |number: i64| usize::try_from(number).unwrap_or(usize::MAX);
        Ok(Options {
            threads: unlimited(threads).min(MOST_THREADS),
            most_rows: unlimited(most_rows),
            timeout: Duration::from_micros(timeout),
            most_batches: unlimited(most_batches),
            allowed_sizes: allowed_sizes.to_vec(),
            splits,
            pads_down,
        })
    }
}
