//! A metric: cells by the values of its labels.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

/// What a metric has one of for each combination of its labels' values.
pub(super) trait Cell {
    /// A cell that nothing was counted in; the limits are those of a histogram's buckets.
    fn new(limits: &Arc<[f64]>) -> Self;
}

/// What a `TFE_MonitoringCounter0` and its siblings are here.
#[derive(Debug)]
pub(super) struct Metric<C> {
    limits: Arc<[f64]>,
    /// Boxed, so that clients may keep them by their addresses.
    #[allow(clippy::vec_box, clippy::box_collection, reason = "cells stay in place while the map grows")]
    cells: Mutex<BTreeMap<Vec<String>, Box<C>>>,
}

impl<C: Cell> Metric<C> {
    pub(super) fn new(limits: Arc<[f64]>) -> Self {
        Self { limits, cells: Mutex::default() }
    }

    /// The cell of these labels' values, which lives as long as the metric.
    pub(super) fn cell(&self, labels: Vec<String>) -> *const C {
        let mut cells = self.cells.lock().unwrap_or_else(PoisonError::into_inner);
        &raw const **cells.entry(labels).or_insert_with(|| Box::new(C::new(&self.limits)))
    }
}
