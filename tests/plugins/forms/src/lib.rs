//! Kernels of every form, and kernels that go wrong, in a plugin.
#![forbid(unsafe_code)]

extern crate oplink_plugin as oplink;

mod attrs;
mod memory;
mod outputs;
mod wrong;

use oplink::prelude::*;

library! {
    pub FORMS;
    ops::{
        attrs::{FormAttrs, FormMissed, FormFlags},
        memory::{FormForward, FormPass, FormReshaped, FormTypes},
        outputs::{FormReturn, FormSplit, FormList, FormCount, FormLater},
        wrong::{FormPanic, FormUnset, FormWrong, FormStep, FormResource, FormPanicInShape},
    },
    kernels::{
        attrs::{form_attrs_cpu, form_missed_cpu},
        memory::{form_forward_cpu, form_pass_cpu, form_reshaped_cpu, form_types_cpu, softsign_cpu},
        outputs::{form_return_cpu, form_split_cpu, form_list_cpu, Count, form_later_cpu},
        wrong::{form_panic_cpu, form_unset_cpu, form_wrong_cpu, form_step_cpu, form_resource_cpu, form_panic_in_shape_cpu},
    },
}

plugin! { FORMS; host_ops: memory::Softsign }
