//! Names the built-in kernels, so that the linker keeps them and sealing notices where it did not; and tells, for
//! families that this build leaves out, which feature brings an op.

#[cfg(feature = "cpu-kernels")]
oplink_api::link!(oplink_kernels_cpu);
#[cfg(feature = "gpu")]
oplink_api::link!(oplink_kernels_gpu);

#[cfg(feature = "gradients")]
oplink_api::link!(oplink_gradients);

macro_rules! family {
    ($feature:literal, $ops:ident) => {
        #[cfg(not(feature = $feature))]
        const _: () = {
            static HINTS: oplink_core::Hints = oplink_core::Hints {
                crate_name: "oplink-kernels-cpu",
                how_to_enable: concat!("enable the feature `", $feature, "` of `oplink`"),
                ops: crate::op_index::$ops,
            };
            oplink_core::register_hints!(HINTS);
        };
    };
}

family!("array", ARRAY);
family!("control_flow", CONTROL_FLOW);
family!("data", DATA);
family!("decomposition", DECOMPOSITION);
family!("image", IMAGE);
family!("io", IO);
family!("linalg", LINALG);
family!("math", MATH);
family!("nn", NN);
family!("random", RANDOM);
family!("reduction", REDUCTION);
family!("signal", SIGNAL);
family!("sparse", SPARSE);
family!("state", STATE);
family!("string", STRING);
family!("training", TRAINING);
