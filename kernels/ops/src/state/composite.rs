//! Composite tensors, such as ragged and sparse ones, as values: a scalar of dtype variant that holds their
//! components.
//!
//! The attr `metadata` is a message that tells the type of the composite tensor (`CompositeTensorVariantMetadata`).

use oplink::prelude::*;

/// The components of a composite tensor in a variant.
#[op("CompositeTensorVariantFromComponents",
     input = "components: Tcomponents",
     output = "encoded: variant",
     attr = "metadata: string",
     attr = "Tcomponents: list(type) >= 0",
     shape = shape_fns::scalar)]
pub struct CompositeTensorVariantFromComponents;

/// The components in a variant, of the dtypes of the attr. The classes of types in both messages agree.
#[op("CompositeTensorVariantToComponents",
     input = "encoded: variant",
     output = "components: Tcomponents",
     attr = "metadata: string",
     attr = "Tcomponents: list(type) >= 0",
     shape = shape_fns::unknown)]
pub struct CompositeTensorVariantToComponents;
