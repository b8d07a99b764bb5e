//! What a queue is declared with.

use oplink::prelude::*;

/// In which order elements leave a queue.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Order {
    /// First in, first out.
    Fifo,
    /// First in, first out; the tensors of a batch are padded to one shape.
    PaddedFifo,
    /// Any of those there, at random.
    Shuffled {
        /// The seeds of the numbers that decide.
        seeds: (i64, i64),
        /// Elements that stay until the queue is closed.
        kept: usize,
    },
    /// The smallest first, by the first component.
    Sorted,
}

/// What a queue is declared with. Nodes that share a queue agree in it.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Declaration {
    pub(super) order: Order,
    /// Dtypes of the components of an element.
    pub(super) dtypes: Vec<DType>,
    /// Shapes of the components; none where elements may have any.
    pub(super) shapes: Option<Vec<PartialShape>>,
    /// Elements that there is room for.
    pub(super) capacity: Option<usize>,
}

impl Declaration {
    /// That of a queue whose node has these attrs.
    pub(super) fn new(order: Order, dtypes: &[DType], shapes: &[PartialShape], capacity: i64) -> Result<Self> {
        let (mut dtypes, mut shapes) = (dtypes.to_vec(), shapes.to_vec());
        let (given, wanted) = (shapes.len(), dtypes.len());
        let may_lack = matches!(order, Order::Fifo | Order::Shuffled { .. });
        ensure!(given == wanted || (given == 0 && may_lack), "a queue of {wanted} components has {given} shapes");
        match order {
            Order::PaddedFifo => {
                ensure!(shapes.iter().all(|shape| shape.rank().is_some()), "the ranks of all components must be known");
            }
            _ => {
                for shape in &mut shapes {
                    *shape = if shape.rank().is_some() { shape.clone() } else { PartialShape::scalar() };
                    ensure!(shape.is_fully_known(), "the shape {shape} of a component must be fully known");
                }
            }
        }
        if order == Order::Sorted {
            dtypes.insert(0, DType::Int64);
            shapes.insert(0, PartialShape::scalar());
        }
        let shapes = (shapes.len() == dtypes.len()).then_some(shapes);
        Ok(Self { order, dtypes, shapes, capacity: usize::try_from(capacity).ok() })
    }

    /// An error unless `dtypes` are those of the components.
    pub(super) fn check_dtypes(&self, dtypes: &[DType]) -> Result<()> {
        ensure!(self.dtypes == dtypes, "the queue has components of {:?}, the op works on {dtypes:?}", self.dtypes);
        Ok(())
    }

    /// An error unless `tensors` can be the components of an element.
    pub(super) fn check_element(&self, tensors: &[Tensor]) -> Result<()> {
        self.check(tensors, 0)
    }

    /// The number of elements that `tensors` hold as rows; an error unless they can.
    pub(super) fn check_rows(&self, tensors: &[Tensor]) -> Result<usize> {
        let rows = |tensor: &Tensor| match tensor.shape().first() {
            Some(&rows) => Ok(rows),
            None => bail!("the rows of each component are put into the queue, one component is a scalar"),
        };
        let counts = tensors.iter().map(rows).collect::<Result<Vec<_>>>()?;
        ensure!(
            counts.iter().all(|count| *count == counts[0]),
            "all components must have as many rows, they have {counts:?}"
        );
        self.check(tensors, 1)?;
        Ok(counts.first().copied().unwrap_or(0))
    }

    fn check(&self, tensors: &[Tensor], skipped: usize) -> Result<()> {
        self.check_dtypes(&tensors.iter().map(Tensor::dtype).collect::<Vec<_>>())?;
        for (at, (tensor, shape)) in tensors.iter().zip(self.shapes.iter().flatten()).enumerate() {
            let given = Shape::new(&tensor.shape()[skipped..]);
            ensure!(shape.accepts(&given), "component {at} has the shape {shape} in this queue, the tensor {given}");
        }
        Ok(())
    }
}
