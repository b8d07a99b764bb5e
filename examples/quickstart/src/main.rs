//! Declares an op with kernels, calls it, puts it in a graph; then reads ten pictures of digits with a trained
//! TensorFlow graph.

use std::path::Path;

use oplink::prelude::*;

/// `y = x * scale + shift`, elementwise.
#[op("ScaleShift", input = "x: T", input = "scale: T", output = "y: T", attr = "shift: float = 0.0",
     attr = "T: {float, double, int32}", shape = shape_fns::unchanged)]
pub struct ScaleShift;

/// One function for both floats: in place where nobody else needs `x`.
#[kernel(ScaleShift, device = CPU, T = [f32, f64], forward(x => y))]
fn scale_shift<T: Float>(y: InOut<'_, T>, scale: T, shift: f32) {
    y.map(|x| x * scale + T::from_f32(shift));
}

/// Integers round the shift.
#[kernel(ScaleShift, device = CPU, T = [i32])]
fn scale_shift_i32(x: ArrayViewD<'_, i32>, scale: i32, shift: f32) -> ArrayD<i32> {
    x.mapv(|x| x.wrapping_mul(scale).wrapping_add(shift.round() as i32))
}

fn main() -> Result<()> {
    let y = ScaleShift::call([1, 2, 3], 10)?;
    println!("eager:  {y}");

    let mut graph = Graph::new(Registry::global()?);
    let x = graph.scope().placeholder("x", DType::Float, PartialShape::new(&[None]))?;
    ScaleShift::builder().shift(0.5).name("y").build(&mut graph.scope(), x, 2.0f32)?;
    let session = Session::new(graph, SessionOptions::default())?;
    let y = session.run(&[("x", Tensor::from([1.0f32, 2.0]))], &["y"], &[])?;
    println!("graph:  {}\n", y[0]);

    read_digits(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/models/digits"))
}

fn read_digits(folder: &Path) -> Result<()> {
    let session = Session::new(Graph::load(folder.join("digits.pb"), Registry::global()?)?, SessionOptions::default())?;
    for digit in 0..10 {
        let file = format!("digit-{digit}.png");
        let image = read_png(&folder.join(&file))?;
        let outputs = session.run(&[("image", image)], &["label", "probability"], &[])?;
        let label = outputs[0].as_slice::<i64>()?[0];
        let probability = outputs[1].as_slice::<f32>()?[label as usize];
        println!("{file}: {label} ({:.2} %)", 100.0 * probability);
    }
    Ok(())
}

/// A gray PNG as `[1, height, width, 1]` bytes.
fn read_png(path: &Path) -> Result<Tensor> {
    let failed = |e: &dyn std::fmt::Display| Error::invalid_argument(format!("{}: {e}", path.display()));
    let file = std::fs::File::open(path).map_err(|e| failed(&e))?;
    let mut reader = png::Decoder::new(std::io::BufReader::new(file)).read_info().map_err(|e| failed(&e))?;
    let mut pixels = vec![0; reader.output_buffer_size().unwrap_or(0)];
    let info = reader.next_frame(&mut pixels).map_err(|e| failed(&e))?;
    Tensor::from_vec([1, info.height as usize, info.width as usize, 1], pixels)
}
