//! What is done with readers: records are read, counted, and states kept.
//!
//! A run that reads takes units of work out of the queue as it needs them, and waits where the queue is empty: it ends
//! with `OutOfRange` when the queue is closed, and with an error when the step is cancelled. Runs that read from one
//! reader are served in the order in which they come. A file that cannot be opened is an error, and its unit of work
//! is lost; after an error within a file the next run tries the same record again.

use super::handles;
use oplink::prelude::*;

/// The next record. The queue must have one component, a string of one element.
#[op("ReaderReadV2",
     input = "reader_handle: resource",
     input = "queue_handle: resource",
     output = "key: string",
     output = "value: string",
     stateful,
     shape = handles::of_scalars)]
pub struct ReaderReadV2;

/// As [`ReaderReadV2`], of references.
#[op("ReaderRead",
     input = "reader_handle: Ref(string)",
     input = "queue_handle: Ref(string)",
     output = "key: string",
     output = "value: string",
     no_gradient,
     shape = handles::of_references)]
pub struct ReaderRead;

/// The next `num_records` records, two vectors; fewer where the file of some of them ends.
#[op("ReaderReadUpToV2",
     input = "reader_handle: resource",
     input = "queue_handle: resource",
     input = "num_records: int64",
     output = "keys: string",
     output = "values: string",
     stateful,
     shape = read_up_to)]
pub struct ReaderReadUpToV2;

/// As [`ReaderReadUpToV2`], of references.
#[op("ReaderReadUpTo",
     input = "reader_handle: Ref(string)",
     input = "queue_handle: Ref(string)",
     input = "num_records: int64",
     output = "keys: string",
     output = "values: string",
     no_gradient,
     shape = read_up_to_by_reference)]
pub struct ReaderReadUpTo;

/// The number of records that a reader has read.
#[op("ReaderNumRecordsProducedV2",
     input = "reader_handle: resource",
     output = "records_produced: int64",
     stateful,
     shape = handles::of_scalars)]
pub struct ReaderNumRecordsProducedV2;

/// As [`ReaderNumRecordsProducedV2`], of a reference.
#[op("ReaderNumRecordsProduced",
     input = "reader_handle: Ref(string)",
     output = "records_produced: int64",
     no_gradient,
     shape = handles::of_references)]
pub struct ReaderNumRecordsProduced;

/// The number of units of work that a reader has read to their ends.
#[op("ReaderNumWorkUnitsCompletedV2",
     input = "reader_handle: resource",
     output = "units_completed: int64",
     stateful,
     shape = handles::of_scalars)]
pub struct ReaderNumWorkUnitsCompletedV2;

/// As [`ReaderNumWorkUnitsCompletedV2`], of a reference.
#[op("ReaderNumWorkUnitsCompleted",
     input = "reader_handle: Ref(string)",
     output = "units_completed: int64",
     no_gradient,
     shape = handles::of_references)]
pub struct ReaderNumWorkUnitsCompleted;

/// The state of a reader as a message, for [`ReaderRestoreStateV2`]: readers of whole files and identity readers have
/// one, others are `Unimplemented`.
#[op("ReaderSerializeStateV2",
     input = "reader_handle: resource",
     output = "state: string",
     stateful,
     shape = handles::of_scalars)]
pub struct ReaderSerializeStateV2;

/// As [`ReaderSerializeStateV2`], of a reference.
#[op("ReaderSerializeState",
     input = "reader_handle: Ref(string)",
     output = "state: string",
     no_gradient,
     shape = handles::of_references)]
pub struct ReaderSerializeState;

/// Gives a reader the state that another had between two units of work. Where the message is none, or tells of a unit
/// that is not read to its end, that is an error, and the reader is as new.
#[op("ReaderRestoreStateV2",
     input = "reader_handle: resource",
     input = "state: string",
     stateful,
     shape = handles::of_scalars)]
pub struct ReaderRestoreStateV2;

/// As [`ReaderRestoreStateV2`], of a reference.
#[op("ReaderRestoreState",
     input = "reader_handle: Ref(string)",
     input = "state: string",
     no_gradient,
     shape = restore_by_reference)]
pub struct ReaderRestoreState;

/// Makes a reader as new; the rest of its file is lost.
#[op("ReaderResetV2", input = "reader_handle: resource", stateful, shape = handles::of_scalars)]
pub struct ReaderResetV2;

/// As [`ReaderResetV2`], of a reference.
#[op("ReaderReset", input = "reader_handle: Ref(string)", no_gradient, shape = handles::of_references)]
pub struct ReaderReset;

/// Two vectors of records, for a count in input 2.
fn read_up_to(context: &mut ShapeContext<'_>) -> Result<()> {
    handles::of_scalars(context)?;
    set_vectors(context);
    Ok(())
}

/// As [`read_up_to`], of references.
fn read_up_to_by_reference(context: &mut ShapeContext<'_>) -> Result<()> {
    handles::two_names(context, 0)?;
    handles::two_names(context, 1)?;
    context.with_rank(2, 0)?;
    set_vectors(context);
    Ok(())
}

/// A state in input 1, for the reader behind a reference.
fn restore_by_reference(context: &mut ShapeContext<'_>) -> Result<()> {
    handles::two_names(context, 0)?;
    context.with_rank(1, 0)?;
    Ok(())
}

fn set_vectors(context: &mut ShapeContext<'_>) {
    (0..2).for_each(|output| context.set_output(output, PartialShape::new(&[None])));
}
