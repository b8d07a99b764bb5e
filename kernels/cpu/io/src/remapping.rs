//! `LoadAndRemapMatrix`: a matrix from a checkpoint, its rows and columns in another order.

use std::collections::HashMap;

use super::paths::{path, scalar};
use oplink::memory::exhausted;
use oplink::prelude::*;
use oplink_bundle::{BundleReader, TensorSlice};
use oplink_ops::io::LoadAndRemapMatrix;

/// `LoadAndRemapMatrix`.
#[kernel(LoadAndRemapMatrix, device = CPU)]
pub fn load_and_remap_matrix_cpu(
    ckpt_path: &Tensor,
    old_tensor_name: &Tensor,
    row_remapping: &Tensor,
    col_remapping: &Tensor,
    initializing_values: &Tensor,
    num_rows: i64,
    num_cols: i64,
    max_rows_in_memory: i64,
    mut output_matrix: OutputSlot<'_>,
    env: Env<'_>,
) -> Result<()> {
    let rows = Remapping::new(row_remapping, ("row_remapping", num_rows), env)?;
    let all_columns = col_remapping.num_elements() == 0;
    let columns =
        if all_columns { None } else { Some(Remapping::new(col_remapping, ("col_remapping", num_cols), env)?) };
    let [prefix] = ckpt_path.as_slice::<TString>()? else {
        bail!("ckpt_path must have one element, its shape is {}", ckpt_path.shape())
    };
    let name = scalar(old_tensor_name, "old_tensor_name")?;
    let reader = BundleReader::open(path(prefix.as_bytes())?)?;
    let extents = extents(&reader, name)?;
    ensure!(
        !all_columns || extents[1] as i64 == num_cols,
        "tensor {name:?} has {} columns, num_cols is {num_cols} and there is no col_remapping",
        extents[1]
    );
    let width = num_cols as usize;
    let out = output_matrix.allocate([num_rows as usize, width])?.as_mut_slice::<f32>()?;
    let most = usize::try_from(max_rows_in_memory).ok().filter(|&most| most > 0).unwrap_or(usize::MAX);
    let mut first = rows.least;
    while let (Some(start), Some(largest)) = (first, rows.largest) {
        // Old numbers are below 2^63, so that one more than the largest is one too.
        let end = start.saturating_add(most).min(largest + 1);
        let slice = TensorSlice::new([Some(start..end), None])?;
        let read = reader.read_slice_in(name, &slice, env.env().allocator())?;
        for (old, values) in (start..end).zip(read.as_slice::<f32>()?.chunks_exact(extents[1].max(1))) {
            env.poll();
            if let Some(&new) = rows.new_of_old.get(&old) {
                copy_row(values, columns.as_ref(), &mut out[new * width..][..width], (name, env))?;
            }
        }
        first = Some(end).filter(|&end| end <= largest);
    }
    fill(out, (&rows, columns.as_ref()), width, initializing_values.as_slice()?, env)
}

/// The extents of the checkpoint's tensor, which must be a matrix of floats.
fn extents(reader: &BundleReader, name: &TString) -> Result<[usize; 2]> {
    let Some(info) = reader.get(name) else {
        return Err(Error::not_found(format!("checkpoint {} has no tensor {name:?}", reader.prefix().display())));
    };
    ensure!(info.dtype == DType::Float, "tensor {name:?} must be of float, it is of {}", info.dtype);
    match *info.shape.dims() {
        [rows, columns] => Ok([rows, columns]),
        _ => bail!("tensor {name:?} must be a matrix, its shape is {}", info.shape),
    }
}

/// Copies the elements of an old row to their places.
fn copy_row(
    values: &[f32],
    columns: Option<&Remapping<'_>>,
    out: &mut [f32],
    (name, env): (&TString, Env<'_>),
) -> Result<()> {
    let Some(columns) = columns else {
        out.copy_from_slice(values);
        return Ok(());
    };
    for (out, &old) in out.iter_mut().zip(env.watch(columns.old_of_new)) {
        let Ok(old) = usize::try_from(old) else { continue };
        let Some(&value) = values.get(old) else {
            bail!("col_remapping asks for the column {old}, tensor {name:?} has {}", values.len())
        };
        *out = value;
    }
    Ok(())
}

/// Gives the elements that the checkpoint's matrix does not have their values.
fn fill(
    out: &mut [f32],
    (rows, columns): (&Remapping<'_>, Option<&Remapping<'_>>),
    width: usize,
    values: &[f32],
    env: Env<'_>,
) -> Result<()> {
    let mut rest = values.iter();
    for (row, &old) in out.chunks_exact_mut(width).zip(rows.old_of_new) {
        for (at, out) in env.watch(row).enumerate() {
            if old >= 0 && columns.is_none_or(|columns| columns.old_of_new[at] >= 0) {
                continue;
            }
            let Some(&value) = rest.next() else {
                bail!("initializing_values has {} elements, more are missing", values.len())
            };
            *out = value;
        }
    }
    let left = rest.len();
    ensure!(left == 0, "initializing_values has {} elements, {left} of which are not needed", values.len());
    Ok(())
}

/// Old numbers in the order of the new ones; negative where there is none.
struct Remapping<'a> {
    old_of_new: &'a [i64],
    new_of_old: HashMap<usize, usize>,
    least: Option<usize>,
    largest: Option<usize>,
}

impl<'a> Remapping<'a> {
    /// From an input with this name, which must be a vector of so many numbers.
    fn new(numbers: &'a Tensor, (name, count): (&str, i64), env: Env<'_>) -> Result<Self> {
        ensure!(numbers.rank() == 1, "{name} must be a vector, its shape is {}", numbers.shape());
        let old_of_new = numbers.as_slice::<i64>()?;
        ensure!(old_of_new.len() as i64 == count, "{name} must have {count} elements, it has {}", old_of_new.len());
        let mut new_of_old = HashMap::new();
        new_of_old.try_reserve(old_of_new.len()).map_err(|_| exhausted(size_of_val(old_of_new)))?;
        for (new, &old) in env.watch(old_of_new).enumerate() {
            let Ok(old) = usize::try_from(old) else { continue };
            if let Some(first) = new_of_old.insert(old, new) {
                let message = format!("{name} gives the old number {old} to {first} and {new}; it may be given once");
                return Err(Error::unimplemented(message));
            }
        }
        let known = || env.watch(old_of_new).filter_map(|&old| usize::try_from(old).ok());
        let (least, largest) = (known().min(), known().max());
        Ok(Self { old_of_new, new_of_old, least, largest })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use oplink_bundle::BundleWriter;
    use oplink_cpu_support::testing::run;

    /// Remaps the matrix of 4 rows and 3 columns with the elements 0 to 11.
    fn remapped(rows: &[i64], columns: &[i64], values: &[f32], shape: [i64; 2], most: i64) -> Result<Vec<f32>> {
        let case = format!("{}-{rows:?}-{columns:?}-{shape:?}-{most}", std::process::id());
        let folder = std::env::temp_dir().join(format!("oplink-remapping-{case}"));
        std::fs::create_dir_all(&folder).unwrap();
        let prefix = folder.join("ckpt");
        let mut writer = BundleWriter::new(&prefix).unwrap();
        let matrix: Vec<f32> = (0..12u8).map(f32::from).collect();
        writer.add("m", &Tensor::from_vec([4, 3], matrix).unwrap()).unwrap();
        writer.finish().unwrap();
        let inputs = vec![
            prefix.to_str().unwrap().into(),
            "m".into(),
            Tensor::from_slice(rows),
            Tensor::from_slice(columns),
            Tensor::from_slice(values),
        ];
        let attrs = [("num_rows", shape[0].into()), ("num_cols", shape[1].into()), ("max_rows_in_memory", most.into())];
        let out = run("LoadAndRemapMatrix", &attrs, inputs);
        std::fs::remove_dir_all(&folder).unwrap();
        Ok(out?[0].as_slice::<f32>()?.to_vec())
    }

    #[test]
    fn rows_and_columns_are_those_of_tensorflow() {
        assert_eq!(remapped(&[2, 0], &[], &[], [2, 3], -1).unwrap(), [6., 7., 8., 0., 1., 2.]);
        for most in [1, 2, 3, i64::MAX] {
            assert_eq!(remapped(&[3, 0, 1], &[], &[], [3, 3], most).unwrap(), [9., 10., 11., 0., 1., 2., 3., 4., 5.]);
        }
        let out = remapped(&[2, -1, 0], &[1, -1], &[50., 51., 52., 53.], [3, 2], -1);
        assert_eq!(out.unwrap(), [7., 50., 51., 52., 1., 53.]);
        assert_eq!(remapped(&[-5], &[-7, 0, 2], &[7., 8., 9.], [1, 3], -1).unwrap(), [7., 8., 9.]);
        assert_eq!(remapped(&[], &[], &[], [0, 3], -1).unwrap(), [0.0f32; 0]);
    }

    #[test]
    fn errors_are_those_of_tensorflow() {
        let code = |rows: &[i64], columns: &[i64], values: &[f32], shape| {
            remapped(rows, columns, values, shape, -1).unwrap_err().code()
        };
        assert_eq!(code(&[2, 2], &[], &[], [2, 3]), Code::Unimplemented);
        assert_eq!(code(&[2, 0], &[1, 1], &[], [2, 2]), Code::Unimplemented);
        assert_eq!(code(&[2, 0], &[], &[], [3, 3]), Code::InvalidArgument);
        assert_eq!(code(&[2, 0], &[1], &[], [2, 3]), Code::InvalidArgument);
        assert_eq!(code(&[2, 0], &[], &[], [2, 2]), Code::InvalidArgument);
        assert_eq!(code(&[-1], &[], &[1.], [1, 3]), Code::InvalidArgument);
        assert_eq!(code(&[0], &[], &[1.], [1, 3]), Code::InvalidArgument);
    }

    #[test]
    fn rows_and_columns_beyond_the_matrix_are_refused() {
        assert!(remapped(&[4], &[], &[], [1, 3], -1).is_err());
        assert!(remapped(&[i64::MAX], &[], &[], [1, 3], -1).is_err());
        let error = remapped(&[0], &[3, 0], &[], [1, 2], -1).unwrap_err();
        assert!(error.to_string().contains("asks for the column 3"), "{error}");
    }
}
