//! `Multinomial` and `StatelessMultinomial`: classes drawn with the probabilities that logits give.
//!
//! `logits` is [batch, classes], the output [batch, num_samples]: for each row classes with probabilities in proportion
//! to `exp(logits)`, summed in double precision after subtracting the row's largest finite logit. Logits that are not
//! finite have probability 0; a row without a finite one gives the number of classes. The numbers are those that
//! TensorFlow draws on one thread (on several, TensorFlow's depend on how it shares out the rows).

use oplink::prelude::*;

/// Draws classes from the sequence of the node.
#[op("Multinomial", is(random),
     no_gradient,
     input = "logits: T",
     input = "num_samples: int32",
     output = "output: output_dtype",
     attr = "seed: int = 0",
     attr = "seed2: int = 0",
     attr = "T: realnumbertype",
     attr = "output_dtype: {int32, int64} = DT_INT64",
     stateful,
     shape = shape_fns::multinomial)]
pub struct Multinomial;

/// Draws classes, a function of the inputs.
#[op("StatelessMultinomial", is(random),
     no_gradient,
     input = "logits: T",
     input = "num_samples: int32",
     input = "seed: Tseed",
     output = "output: output_dtype",
     attr = "T: realnumbertype",
     attr = "Tseed: {int32, int64} = DT_INT64",
     attr = "output_dtype: {int32, int64} = DT_INT64",
     shape = shape_fns::multinomial)]
pub struct StatelessMultinomial;
