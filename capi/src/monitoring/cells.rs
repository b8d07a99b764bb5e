//! Cells: what is counted, set and read.
#![allow(unsafe_code, reason = "room: the C ABI")]

use std::ffi::{c_char, c_int};
use std::ptr;
use std::sync::atomic::{AtomicBool, AtomicI64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use oplink_abi::{
    TF_Buffer, TFE_MonitoringBoolGaugeCell, TFE_MonitoringBuckets, TFE_MonitoringCounterCell,
    TFE_MonitoringIntGaugeCell, TFE_MonitoringSamplerCell, TFE_MonitoringStringGaugeCell,
};
use oplink_api::Result;
use oplink_host::buffer::fill;
use oplink_host::c_api;
use oplink_host::guard::{borrow, borrow_mut, delete, text};

use super::histogram::{Histogram, exponential};
use super::metric::Cell;

/// What a `TFE_MonitoringCounterCell` is here.
#[derive(Debug)]
pub(super) struct CounterCell(AtomicI64);

/// What a `TFE_MonitoringIntGaugeCell` is here.
#[derive(Debug)]
pub(super) struct IntGaugeCell(AtomicI64);

/// What a `TFE_MonitoringBoolGaugeCell` is here.
#[derive(Debug)]
pub(super) struct BoolGaugeCell(AtomicBool);

/// What a `TFE_MonitoringStringGaugeCell` is here.
#[derive(Debug)]
pub(super) struct StringGaugeCell(Mutex<String>);

/// What a `TFE_MonitoringSamplerCell` is here.
#[derive(Debug)]
pub(super) struct SamplerCell(Mutex<Histogram>);

impl Cell for CounterCell {
    fn new(_: &Arc<[f64]>) -> Self {
        Self(AtomicI64::new(0))
    }
}

impl Cell for IntGaugeCell {
    fn new(_: &Arc<[f64]>) -> Self {
        Self(AtomicI64::new(0))
    }
}

impl Cell for BoolGaugeCell {
    fn new(_: &Arc<[f64]>) -> Self {
        Self(AtomicBool::new(false))
    }
}

impl Cell for StringGaugeCell {
    fn new(_: &Arc<[f64]>) -> Self {
        Self(Mutex::default())
    }
}

impl Cell for SamplerCell {
    fn new(limits: &Arc<[f64]>) -> Self {
        Self(Mutex::new(Histogram::new(limits.clone())))
    }
}

c_api! {
    /// Adds to a sum; nothing for null.
    ///
    /// # Safety
    /// The cell is null, or its counter is alive.
    fn TFE_MonitoringCounterCellIncrementBy(
        cell: *mut TFE_MonitoringCounterCell => { borrow(cell.cast::<CounterCell>(), NAME, "cell") },
        value: i64
    ) {
        cell.0.fetch_add(value, Ordering::Relaxed);
        Ok(())
    }

    /// The sum; 0 for null.
    ///
    /// # Safety
    /// The cell is null, or its counter is alive.
    fn TFE_MonitoringCounterCellValue(
        cell: *mut TFE_MonitoringCounterCell => { borrow(cell.cast::<CounterCell>(), NAME, "cell") }
    ) -> (i64 = 0) {
        Ok(cell.0.load(Ordering::Relaxed))
    }

    /// Sets a number; nothing for null.
    ///
    /// # Safety
    /// The cell is null, or its gauge is alive.
    fn TFE_MonitoringIntGaugeCellSet(
        cell: *mut TFE_MonitoringIntGaugeCell => { borrow(cell.cast::<IntGaugeCell>(), NAME, "cell") },
        value: i64
    ) {
        cell.0.store(value, Ordering::Relaxed);
        Ok(())
    }

    /// The number; 0 for null.
    ///
    /// # Safety
    /// The cell is null, or its gauge is alive.
    fn TFE_MonitoringIntGaugeCellValue(
        cell: *mut TFE_MonitoringIntGaugeCell => { borrow(cell.cast::<IntGaugeCell>(), NAME, "cell") }
    ) -> (i64 = 0) {
        Ok(cell.0.load(Ordering::Relaxed))
    }

    /// Sets a truth value; nothing for null.
    ///
    /// # Safety
    /// The cell is null, or its gauge is alive.
    fn TFE_MonitoringBoolGaugeCellSet(
        cell: *mut TFE_MonitoringBoolGaugeCell => { borrow(cell.cast::<BoolGaugeCell>(), NAME, "cell") },
        value: bool
    ) {
        cell.0.store(value, Ordering::Relaxed);
        Ok(())
    }

    /// The truth value; false for null.
    ///
    /// # Safety
    /// The cell is null, or its gauge is alive.
    fn TFE_MonitoringBoolGaugeCellValue(
        cell: *mut TFE_MonitoringBoolGaugeCell => { borrow(cell.cast::<BoolGaugeCell>(), NAME, "cell") }
    ) -> (bool = false) {
        Ok(cell.0.load(Ordering::Relaxed))
    }

    /// Sets a text; nothing for null.
    ///
    /// # Safety
    /// The cell is null, or its gauge is alive; `value` is null or a terminated string.
    fn TFE_MonitoringStringGaugeCellSet(
        cell: *mut TFE_MonitoringStringGaugeCell => { borrow(cell.cast::<StringGaugeCell>(), NAME, "cell") },
        value: *const c_char => text
    ) {
        value.clone_into(&mut cell.0.lock().unwrap_or_else(PoisonError::into_inner));
        Ok(())
    }

    /// Writes the text into a buffer, which loses what it held; nothing for null.
    ///
    /// # Safety
    /// The cell is null, or its gauge is alive; the buffer is null or alive.
    fn TFE_MonitoringStringGaugeCellValue(
        cell: *mut TFE_MonitoringStringGaugeCell => { borrow(cell.cast::<StringGaugeCell>(), NAME, "cell") },
        buf: *mut TF_Buffer => borrow_mut
    ) {
        let value = cell.0.lock().unwrap_or_else(PoisonError::into_inner).clone();
        fill(buf, value.as_bytes());
        Ok(())
    }

    /// Counts a value in a histogram; nothing for null.
    ///
    /// # Safety
    /// The cell is null, or its sampler is alive.
    fn TFE_MonitoringSamplerCellAdd(
        cell: *mut TFE_MonitoringSamplerCell => { borrow(cell.cast::<SamplerCell>(), NAME, "cell") },
        value: f64
    ) {
        cell.0.lock().unwrap_or_else(PoisonError::into_inner).add(value);
        Ok(())
    }

    /// Writes the histogram into a buffer, which loses what it held, as a serialized `HistogramProto`; nothing for
    /// null.
    ///
    /// # Safety
    /// The cell is null, or its sampler is alive; the buffer is null or alive.
    fn TFE_MonitoringSamplerCellValue(
        cell: *mut TFE_MonitoringSamplerCell => { borrow(cell.cast::<SamplerCell>(), NAME, "cell") },
        buf: *mut TF_Buffer => borrow_mut
    ) {
        let message = cell.0.lock().unwrap_or_else(PoisonError::into_inner).message();
        fill(buf, &oplink_proto::to_bytes(&message));
        Ok(())
    }
}

/// What a `TFE_MonitoringBuckets` is here: the limits, or what was wrong with them.
#[derive(Debug)]
pub(super) struct Buckets(pub(super) Result<Arc<[f64]>>);

c_api! {
    /// Limits between buckets that grow by a factor. What is wrong with the arguments is told where a sampler is made.
    ///
    /// # Safety
    /// None.
    fn TFE_MonitoringNewExponentialBuckets(scale: f64, growth_factor: f64, bucket_count: c_int)
        -> (*mut TFE_MonitoringBuckets = ptr::null_mut())
    {
        let buckets = Buckets(exponential(scale, growth_factor, bucket_count));
        Ok(Box::into_raw(Box::new(buckets)).cast())
    }
}

/// Frees limits; null is allowed. Samplers that were made of them keep them.
///
/// # Safety
/// The handle is alive and not used afterwards.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn TFE_MonitoringDeleteBuckets(buckets: *mut TFE_MonitoringBuckets) {
    // SAFETY: `buckets` is null or a box that this library made and that the caller gives up.
    unsafe { delete(buckets.cast::<Buckets>()) }
}
