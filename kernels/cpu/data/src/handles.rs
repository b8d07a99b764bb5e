//! Kernels of the ops that make a handle to a resource of their node.

/// A kernel for each op: its node's handle to a resource of a kind, which an expression makes. What looks like a
/// closure looks at the attrs when the kernel is made.
macro_rules! handles {
    ($kind:expr, $made:expr; $($ops:tt)*) => {
        $crate::handles::handles! { $kind, $made, |_attrs| Ok::<(), Error>(()); $($ops)* }
    };
    ($kind:expr, $made:expr, |$attrs:ident| $check:expr; $($name:ident: $op:ident;)*) => {$(
        #[doc = concat!("`", stringify!($op), "` with the node's handle.")]
        #[derive(Debug)]
        pub struct $name(oplink_cpu_state::named::NodeResource);

        #[kernel($op, device = CPU)]
        impl Kernel for $name {
            type Op = $op;

            fn new(construction: Construction<'_, $op>) -> Result<Self> {
                use oplink_cpu_state::named::{NodeResource, Unnamed, info};
                let (node, attrs) = (construction.node(), construction.attrs);
                let $attrs = &attrs;
                $check?;
                let info = info(node, attrs.container, attrs.shared_name, $kind, Unnamed::Private)?;
                Ok(Self(NodeResource::new(info)))
            }

            fn compute(
                &self,
                _: <$op as oplink::arguments::TypedOp>::Inputs<'_>,
                outputs: &mut <$op as oplink::arguments::TypedOp>::Outputs<'_>,
                env: Env<'_>,
            ) -> Result<()> {
                self.0.output(&mut outputs.handle, env, |_| Ok($made)).map(drop)
            }
        }
    )*};
}

pub(crate) use handles;
