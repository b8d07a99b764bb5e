//! Parts of images at random: `RandomCrop` and `SampleDistortedBoundingBox`.

use std::sync::{Mutex, PoisonError};

use oplink::arguments::TypedOp;
use oplink::prelude::*;
use oplink::shape_inference::int_values;
use oplink_cpu_support::movement::{Cell, CellJob, with_cells};
use oplink_ops::image as ops;
use oplink_ops::philox::{Philox, Singles};

/// The generator of a node.
struct Node(Mutex<Philox>);

impl Node {
    fn new(seed: i64, seed2: i64) -> Self {
        Self(Mutex::new(Philox::from_seeds(seed, seed2)))
    }

    /// The numbers of a run, of which so many are set aside.
    fn numbers(&self, count: u64) -> Singles {
        let mut position = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let numbers = Singles::new(*position);
        *position = position.skipped(count.div_ceil(Philox::BLOCK as u64));
        numbers
    }
}

/// `RandomCrop` with the generator of the node.
pub struct RandomCropCpu(Node);

#[kernel(ops::RandomCrop, device = CPU, T = [reals])]
impl Kernel for RandomCropCpu {
    type Op = ops::RandomCrop;

    fn new(construction: Construction<'_, ops::RandomCrop>) -> Result<Self> {
        Ok(Self(Node::new(construction.attrs.seed, construction.attrs.seed2)))
    }

    fn compute(
        &self,
        inputs: <ops::RandomCrop as TypedOp>::Inputs<'_>,
        outputs: &mut <ops::RandomCrop as TypedOp>::Outputs<'_>,
        _: Env<'_>,
    ) -> Result<()> {
        let (image, size) = (&*inputs.image, &*inputs.size);
        let &[height, width, channels] = image.shape().dims() else {
            bail!("image must be of rank 3, its shape is {}", image.shape())
        };
        let wanted = int_values(size)?;
        let &[rows, columns] = &wanted[..] else { bail!("size must have 2 elements, its shape is {}", size.shape()) };
        let fitting = |wanted: i64, extent: usize| usize::try_from(wanted).ok().filter(|&wanted| wanted <= extent);
        let (Some(rows), Some(columns)) = (fitting(rows, height), fitting(columns, width)) else {
            let message = format!("a part of {rows} by {columns} pixels does not fit an image of {height} by {width}");
            return Err(Error::new(Code::FailedPrecondition, ErrorKind::InvalidArgument, message));
        };
        let mut numbers = self.0.numbers(2);
        let mut start = |extent: usize, wanted: usize| match extent - wanted {
            0 => 0,
            rest => numbers.draw() as usize % (rest + 1),
        };
        let x = start(width, columns);
        let y = start(height, rows);
        let out = outputs.output.allocate([rows, columns, channels])?;
        with_cells(out.dtype(), Cut { image, out, from: [y, x], row: [width * channels, columns * channels, channels] })
    }
}

struct Cut<'a> {
    image: &'a Tensor,
    out: &'a mut Tensor,
    from: [usize; 2],
    /// Elements of a row of the image, of a row of the part, and of a pixel.
    row: [usize; 3],
}

impl CellJob for Cut<'_> {
    type Output = ();

    fn run<C: Cell>(self) -> Result<()> {
        let ([y, x], [width, columns, channels]) = (self.from, self.row);
        let image = C::of(self.image)?;
        for (row, out) in C::of_mut(self.out)?.chunks_exact_mut(columns.max(1)).enumerate() {
            out.clone_from_slice(&image[(y + row) * width + x * channels..][..columns]);
        }
        Ok(())
    }
}

/// A box of pixels.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Pixels {
    x: [i32; 2],
    y: [i32; 2],
}

impl Pixels {
    fn area(&self) -> f32 {
        (self.x[1].wrapping_sub(self.x[0])).wrapping_mul(self.y[1].wrapping_sub(self.y[0])) as f32
    }

    /// What both have, if anything.
    fn shared_area(&self, other: &Self) -> f32 {
        let shared = |a: [i32; 2], b: [i32; 2]| [a[0].max(b[0]), a[1].min(b[1])];
        let (x, y) = (shared(self.x, other.x), shared(self.y, other.y));
        if x[0] > x[1] || y[0] > y[1] { 0.0 } else { Self { x, y }.area() }
    }
}

/// What the attrs ask of a part.
struct Wishes {
    aspects: [f32; 2],
    areas: [f32; 2],
    max_attempts: i64,
    use_image: bool,
}

impl Wishes {
    fn new(aspects: &[f32], areas: &[f32], max_attempts: i64, use_image: bool) -> Result<Self> {
        let (Ok(aspects), Ok(areas)) = (<[f32; 2]>::try_from(aspects), <[f32; 2]>::try_from(areas)) else {
            bail!("aspect_ratio_range and area_range must have 2 numbers each")
        };
        ensure!(aspects.iter().all(|&aspect| aspect > 0.0), "aspect_ratio_range must be above 0, it is {aspects:?}");
        let in_image = areas.iter().all(|&area| area > 0.0 && area <= 1.0);
        ensure!(in_image, "area_range must be above 0 and at most 1, it is {areas:?}");
        ensure!(max_attempts > 0, "max_attempts must be above 0, it is {max_attempts}");
        Ok(Self { aspects, areas, max_attempts, use_image })
    }

    /// A part of an image of this size, if a try succeeds.
    fn attempt(&self, [width, height]: [i32; 2], aspect: f32, numbers: &mut Singles) -> Option<Pixels> {
        let [least, most] = self.areas.map(|area| area * width as f32 * height as f32);
        if width <= 0 || height <= 0 || self.areas[0] > self.areas[1] {
            return None;
        }
        let rounded = |value: f32| value.round_ties_even() as i32;
        let high = |area: f32| rounded((area / aspect).sqrt());
        let (mut rows, mut tallest) = (high(least), high(most));
        if rounded(tallest as f32 * aspect) > width {
            tallest = ((f64::from(width) + 0.5 - f64::from(0.000_000_1f32)) / f64::from(aspect)) as i32;
            if rounded(tallest as f32 * aspect) > width {
                tallest -= 1;
            }
        }
        tallest = tallest.min(height);
        rows = rows.min(tallest);
        if rows < tallest {
            rows += numbers.below((tallest - rows + 1) as u32) as i32;
        }
        let wide = |rows: i32| rounded(rows as f32 * aspect);
        let area = |rows: i32| wide(rows).wrapping_mul(rows) as f32;
        if area(rows) < least {
            rows += 1;
        }
        if area(rows) > most {
            rows -= 1;
        }
        let columns = wide(rows);
        let fits = (1..=width).contains(&columns) && (1..=height).contains(&rows);
        if area(rows) < least || area(rows) > most || !fits {
            return None;
        }
        let y = if rows < height { numbers.below((height - rows) as u32) as i32 } else { 0 };
        let x = if columns < width { numbers.below((width - columns) as u32) as i32 } else { 0 };
        Some(Pixels { x: [x, x + columns], y: [y, y + rows] })
    }

    /// The outputs of an op: where the part begins, its size, and its box.
    fn sample(
        &self,
        image_size: &Tensor,
        bounding_boxes: &Tensor,
        least_covered: f32,
        mut numbers: Singles,
        env: Env<'_>,
    ) -> Result<[Tensor; 3]> {
        ensure!(
            image_size.shape().dims() == [3],
            "image_size must have 3 elements, its shape is {}",
            image_size.shape()
        );
        let size = int_values(image_size)?;
        let pixels = |extent: i64| match i32::try_from(extent) {
            Ok(extent) if (0..i32::MAX).contains(&extent) => Ok(extent),
            _ => Err(Error::invalid_argument(format!("an image of {size:?} is too large, or negative"))),
        };
        let (height, width) = (pixels(size[0])?, pixels(size[1])?);
        let boxes = bounding_boxes.shape();
        ensure!(
            boxes.rank() == 3 && boxes[2] == 4,
            "bounding_boxes must have the shape [batch,count,4], it is {boxes}"
        );
        ensure!(least_covered >= 0.0, "min_object_covered must not be negative, it is {least_covered}");
        let image = Pixels { x: [0, width], y: [0, height] };
        let mut wanted = Vec::new();
        for corners in bounding_boxes.as_slice::<f32>()?.chunks_exact(4) {
            let inside = corners.iter().all(|corner| (0.0..=1.0).contains(corner));
            ensure!(inside, "boxes must lie between 0 and 1, one is {corners:?}");
            let at = |part: f32, extent: i32| (part * extent as f32) as i32;
            let (x, y) =
                ([at(corners[1], width), at(corners[3], width)], [at(corners[0], height), at(corners[2], height)]);
            wanted.push(Pixels { x, y });
        }
        if wanted.is_empty() {
            ensure!(self.use_image, "there are no boxes; use_image_if_no_bounding_boxes makes the image one");
            wanted.push(image);
        }
        let enough = |part: &Pixels| {
            let covered =
                |object: &&Pixels| object.area() >= 1.0 && part.shared_area(object) / object.area() >= least_covered;
            part.area() >= 1.0 && wanted.iter().any(|object| covered(&object))
        };
        let mut part = image;
        for _ in env.watch(0..self.max_attempts) {
            let aspect = numbers.single() * (self.aspects[1] - self.aspects[0]) + self.aspects[0];
            if let Some(found) = self.attempt([width, height], aspect, &mut numbers).filter(enough) {
                part = found;
                break;
            }
        }
        let dtype = image_size.dtype();
        let begin = integers([part.y[0], part.x[0], 0], dtype)?;
        let size = integers([part.y[1] - part.y[0], part.x[1] - part.x[0], -1], dtype)?;
        let parts = [(part.y[0], height), (part.x[0], width), (part.y[1], height), (part.x[1], width)];
        let parts = parts.map(|(at, extent)| at as f32 / extent as f32);
        Ok([begin, size, Tensor::from_vec([1, 1, 4], parts.to_vec())?])
    }
}

/// A vector of integers of a dtype.
fn integers(values: [i32; 3], dtype: DType) -> Result<Tensor> {
    Ok(match dtype {
        DType::UInt8 => values.map(|value| value as u8).into(),
        DType::Int8 => values.map(|value| value as i8).into(),
        DType::Int16 => values.map(|value| value as i16).into(),
        DType::Int32 => values.into(),
        DType::Int64 => values.map(i64::from).into(),
        other => bail!("positions cannot be of {other}"),
    })
}

/// Kernels of the ops with a generator, `Kernel: Op, |inputs, attrs| how much is covered;` each.
macro_rules! samples {
    ($($name:ident: $op:ident, |$inputs:ident, $attrs:ident| $at_new:expr, $at_run:expr;)*) => {$(
        #[doc = concat!("`", stringify!($op), "` with the generator of the node.")]
        pub struct $name {
            node: Node,
            wishes: Wishes,
            covered: f32,
        }

        #[kernel(ops::$op, device = CPU, T = [u8, i8, i16, i32, i64])]
        impl Kernel for $name {
            type Op = ops::$op;

            fn new(construction: Construction<'_, ops::$op>) -> Result<Self> {
                let $attrs = construction.attrs;
                let (aspects, areas) = ($attrs.aspect_ratio_range, $attrs.area_range);
                let wishes = Wishes::new(aspects, areas, $attrs.max_attempts, $attrs.use_image_if_no_bounding_boxes)?;
                Ok(Self { node: Node::new($attrs.seed, $attrs.seed2), wishes, covered: $at_new })
            }

            fn compute(
                &self,
                $inputs: <ops::$op as TypedOp>::Inputs<'_>,
                outputs: &mut <ops::$op as TypedOp>::Outputs<'_>,
                env: Env<'_>,
            ) -> Result<()> {
                let covered: Option<f32> = $at_run;
                let numbers = self.node.numbers(4u64.saturating_mul(self.wishes.max_attempts as u64));
                let covered = covered.unwrap_or(self.covered);
                let (size, boxes) = (&$inputs.image_size, &$inputs.bounding_boxes);
                let [begin, size, bboxes] = self.wishes.sample(size, boxes, covered, numbers, env)?;
                outputs.begin.set(begin);
                outputs.size.set(size);
                outputs.bboxes.set(bboxes);
                Ok(())
            }
        }
    )*};
}

samples! {
    SampleDistortedBoundingBoxCpu: SampleDistortedBoundingBox, |inputs, attrs| attrs.min_object_covered, None;
    SampleDistortedBoundingBoxV2Cpu: SampleDistortedBoundingBoxV2, |inputs, attrs| 0.0,
        Some(inputs.min_object_covered.to_scalar()?);
}

/// `StatelessSampleDistortedBoundingBox`.
#[kernel(ops::StatelessSampleDistortedBoundingBox, device = CPU, T = [u8, i8, i16, i32, i64], Tseed = any)]
#[allow(clippy::too_many_arguments, reason = "the op's arguments and attrs")]
pub fn stateless_sample_distorted_bounding_box_cpu(
    image_size: &Tensor,
    bounding_boxes: &Tensor,
    min_object_covered: &Tensor,
    seed: &Tensor,
    aspect_ratio_range: &[f32],
    area_range: &[f32],
    max_attempts: i64,
    use_image_if_no_bounding_boxes: bool,
    mut begin: OutputSlot<'_>,
    mut size: OutputSlot<'_>,
    mut bboxes: OutputSlot<'_>,
    env: Env<'_>,
) -> Result<()> {
    let wishes = Wishes::new(aspect_ratio_range, area_range, max_attempts, use_image_if_no_bounding_boxes)?;
    ensure!(seed.shape().dims() == [2], "seed must have shape [2], its shape is {}", seed.shape());
    let seed = int_values(seed)?;
    let numbers = Singles::new(Philox::from_seed([seed[0], seed[1]]));
    let covered = min_object_covered.to_scalar()?;
    let [first, extent, part] = wishes.sample(image_size, bounding_boxes, covered, numbers, env)?;
    begin.set(first);
    size.set(extent);
    bboxes.set(part);
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use oplink_cpu_support::testing::run;

    #[test]
    fn attempts_may_be_any_number() {
        let attrs: [(&str, AttrValue); 2] = [("seed", 3.into()), ("max_attempts", i64::MAX.into())];
        let boxes = Tensor::from_vec([1, 1, 4], vec![0f32, 0.0, 1.0, 1.0]).unwrap();
        let out = run("SampleDistortedBoundingBox", &attrs, vec![[10i32, 20, 3].into(), boxes]).unwrap();
        assert_eq!(out[0].num_elements(), 3);
    }

    #[test]
    fn parts_are_those_of_tensorflow() {
        let attrs: [(&str, AttrValue); 2] = [("seed", 3.into()), ("seed2", 4.into())];
        let boxes = Tensor::from_vec([1, 1, 4], vec![0f32, 0.0, 1.0, 1.0]).unwrap();
        let size: Tensor = [10i32, 20, 3].into();
        let out = run("SampleDistortedBoundingBox", &attrs, vec![size.clone(), boxes.clone()]).unwrap();
        assert_eq!(out[0].as_slice::<i32>().unwrap(), [2, 3, 0]);
        assert_eq!(out[1].as_slice::<i32>().unwrap(), [7, 9, -1]);
        assert_eq!(out[2].as_slice::<f32>().unwrap(), [0.2, 0.15, 0.9, 0.6]);
        let out = run("SampleDistortedBoundingBoxV2", &attrs, vec![size, boxes, 0.5f32.into()]).unwrap();
        assert_eq!(out[0].as_slice::<i32>().unwrap(), [0, 2, 0]);
        assert_eq!(out[1].as_slice::<i32>().unwrap(), [10, 10, -1]);
    }
}
