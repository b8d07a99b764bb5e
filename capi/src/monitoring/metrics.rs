//! Metrics: their making, their cells, their end; a flat table of one declaration for each kind and number of labels.
#![allow(unsafe_code, reason = "room: the C ABI")]

use std::ffi::c_char;
use std::ptr;
use std::sync::Arc;

use oplink_abi::*;
use oplink_api::Result;
use oplink_host::guard::{borrow, delete, text, with_status, without_status};

use super::cells::{BoolGaugeCell, Buckets, CounterCell, IntGaugeCell, SamplerCell, StringGaugeCell};
use super::metric::Metric;

/// The limits behind a handle.
///
/// # Safety
/// A handle that is not null is alive.
unsafe fn limits_of(buckets: *mut TFE_MonitoringBuckets, function: &str) -> Result<Arc<[f64]>> {
    // SAFETY: `buckets` is null or alive (Safety section).
    unsafe { borrow(buckets.cast::<Buckets>(), function, "buckets") }?.0.clone()
}

/// Declares a kind's functions, for each number of labels: the type of the metric, its maker, the getter of its cells,
/// its end, the labels. `[buckets]` is the argument that only samplers have.
macro_rules! metrics {
    ($($cell:ident as $c_cell:ident $buckets:tt { $($metric:ident $new:ident $get:ident $delete:ident $labels:tt)* })*) => {
        $($(metrics!(@one $cell $c_cell $buckets $metric $new $get $delete $labels);)*)*
    };
    (@one $cell:ident $c_cell:ident [$($buckets:ident)?] $metric:ident $new:ident $get:ident $delete:ident
        ($($label:ident),*)) => {
        /// A metric; null where an argument is wrong. The name and the description are for its reader.
        ///
        /// # Safety
        /// The handles are null or alive; the strings are null or terminated.
        #[unsafe(no_mangle)]
        pub unsafe extern "C" fn $new(
            name: *const c_char,
            $($buckets: *mut TFE_MonitoringBuckets,)?
            status: *mut TF_Status,
            description: *const c_char,
            $($label: *const c_char),*
        ) -> *mut $metric {
            const NAME: &str = stringify!($new);
            with_status(status, NAME, ptr::null_mut(), || {
                #[allow(unused_variables, reason = "samplers have limits of their own")]
                let limits = Arc::<[f64]>::from([]);
                // SAFETY: the handles are null or alive and the strings null or terminated (Safety section).
                unsafe {
                    text(name, NAME, "name")?;
                    text(description, NAME, "description")?;
                    $(text($label, NAME, stringify!($label))?;)*
                    $(let limits = limits_of($buckets, NAME)?;)?
                    Ok(Box::into_raw(Box::new(Metric::<$cell>::new(limits))).cast())
                }
            })
        }

        /// The cell of these labels' values, which lives as long as the metric; null where an argument is null.
        ///
        /// # Safety
        /// The handle is null or alive; the strings are null or terminated.
        #[unsafe(no_mangle)]
        pub unsafe extern "C" fn $get(metric: *mut $metric, $($label: *const c_char),*) -> *mut $c_cell {
            const NAME: &str = stringify!($get);
            let cell = || -> Result<*const $cell> {
                // SAFETY: the handle is null or alive (Safety section).
                let metric = unsafe { borrow(metric.cast::<Metric<$cell>>(), NAME, "metric") }?;
                // SAFETY: the strings are null or terminated (Safety section).
                Ok(metric.cell(vec![$(unsafe { text($label, NAME, stringify!($label)) }?.to_owned()),*]))
            };
            without_status(ptr::null_mut(), || cell().map_or(ptr::null_mut(), |cell| cell.cast_mut().cast()))
        }

        /// Frees a metric and its cells; null is allowed.
        ///
        /// # Safety
        /// The handle is alive, and neither it nor its cells are used afterwards.
        #[unsafe(no_mangle)]
        pub unsafe extern "C" fn $delete(metric: *mut $metric) {
            // SAFETY: `metric` is null or a box that this library made and that the caller gives up.
            unsafe { delete(metric.cast::<Metric<$cell>>()) }
        }
    };
}

metrics! {
    CounterCell as TFE_MonitoringCounterCell [] {
        TFE_MonitoringCounter0 TFE_MonitoringNewCounter0 TFE_MonitoringGetCellCounter0
            TFE_MonitoringDeleteCounter0 ()
        TFE_MonitoringCounter1 TFE_MonitoringNewCounter1 TFE_MonitoringGetCellCounter1
            TFE_MonitoringDeleteCounter1 (label1)
        TFE_MonitoringCounter2 TFE_MonitoringNewCounter2 TFE_MonitoringGetCellCounter2
            TFE_MonitoringDeleteCounter2 (label1, label2)
    }
    IntGaugeCell as TFE_MonitoringIntGaugeCell [] {
        TFE_MonitoringIntGauge0 TFE_MonitoringNewIntGauge0 TFE_MonitoringGetCellIntGauge0
            TFE_MonitoringDeleteIntGauge0 ()
        TFE_MonitoringIntGauge1 TFE_MonitoringNewIntGauge1 TFE_MonitoringGetCellIntGauge1
            TFE_MonitoringDeleteIntGauge1 (label1)
        TFE_MonitoringIntGauge2 TFE_MonitoringNewIntGauge2 TFE_MonitoringGetCellIntGauge2
            TFE_MonitoringDeleteIntGauge2 (label1, label2)
    }
    StringGaugeCell as TFE_MonitoringStringGaugeCell [] {
        TFE_MonitoringStringGauge0 TFE_MonitoringNewStringGauge0 TFE_MonitoringGetCellStringGauge0
            TFE_MonitoringDeleteStringGauge0 ()
        TFE_MonitoringStringGauge1 TFE_MonitoringNewStringGauge1 TFE_MonitoringGetCellStringGauge1
            TFE_MonitoringDeleteStringGauge1 (label1)
        TFE_MonitoringStringGauge2 TFE_MonitoringNewStringGauge2 TFE_MonitoringGetCellStringGauge2
            TFE_MonitoringDeleteStringGauge2 (label1, label2)
        TFE_MonitoringStringGauge3 TFE_MonitoringNewStringGauge3 TFE_MonitoringGetCellStringGauge3
            TFE_MonitoringDeleteStringGauge3 (label1, label2, label3)
        TFE_MonitoringStringGauge4 TFE_MonitoringNewStringGauge4 TFE_MonitoringGetCellStringGauge4
            TFE_MonitoringDeleteStringGauge4 (label1, label2, label3, label4)
    }
    BoolGaugeCell as TFE_MonitoringBoolGaugeCell [] {
        TFE_MonitoringBoolGauge0 TFE_MonitoringNewBoolGauge0 TFE_MonitoringGetCellBoolGauge0
            TFE_MonitoringDeleteBoolGauge0 ()
        TFE_MonitoringBoolGauge1 TFE_MonitoringNewBoolGauge1 TFE_MonitoringGetCellBoolGauge1
            TFE_MonitoringDeleteBoolGauge1 (label1)
        TFE_MonitoringBoolGauge2 TFE_MonitoringNewBoolGauge2 TFE_MonitoringGetCellBoolGauge2
            TFE_MonitoringDeleteBoolGauge2 (label1, label2)
    }
    SamplerCell as TFE_MonitoringSamplerCell [buckets] {
        TFE_MonitoringSampler0 TFE_MonitoringNewSampler0 TFE_MonitoringGetCellSampler0
            TFE_MonitoringDeleteSampler0 ()
        TFE_MonitoringSampler1 TFE_MonitoringNewSampler1 TFE_MonitoringGetCellSampler1
            TFE_MonitoringDeleteSampler1 (label1)
        TFE_MonitoringSampler2 TFE_MonitoringNewSampler2 TFE_MonitoringGetCellSampler2
            TFE_MonitoringDeleteSampler2 (label1, label2)
    }
}
