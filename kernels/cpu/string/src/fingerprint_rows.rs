//! `Fingerprint`: FarmHash's `Fingerprint64` of each row.

use oplink::memory::try_vec;
use oplink::prelude::*;
use oplink_cpu_support::fingerprint::fingerprint64;
use oplink_ops::string::Fingerprint;

/// `Fingerprint` of every dtype that has bytes, and of strings.
#[kernel(Fingerprint, device = CPU, T = [numbers, bool, TString])]
pub fn fingerprint_cpu(data: &Tensor, method: &Tensor, mut fingerprint: OutputSlot<'_>) -> Result<()> {
    let Some(&rows) = data.shape().first() else { bail!("data must be at least a vector, it is a scalar") };
    ensure!(method.rank() == 0, "method must be a scalar, its shape is {}", method.shape());
    let method = method.to_scalar::<TString>()?;
    ensure!(method.as_bytes() == b"farmhash64", "method must be farmhash64, it is {method:?}");
    let count = data.num_elements() / rows.max(1);
    let hashes = if data.dtype() == DType::String { of_strings(data, rows, count)? } else { of_bytes(data, rows)? };
    let out = fingerprint.allocate([rows, 8])?.as_mut_slice::<u8>()?;
    out.as_chunks_mut::<8>().0.iter_mut().zip(hashes).for_each(|(out, hash)| *out = hash.to_le_bytes());
    Ok(())
}

fn of_bytes(data: &Tensor, rows: usize) -> Result<Vec<u64>> {
    let bytes = data.as_bytes()?;
    let length = bytes.len() / rows.max(1);
    let mut hashes = try_vec(rows)?;
    hashes.extend((0..rows).map(|row| fingerprint64(&bytes[row * length..][..length])));
    Ok(hashes)
}

fn of_strings(data: &Tensor, rows: usize, count: usize) -> Result<Vec<u64>> {
    let strings = data.as_slice::<TString>()?;
    let mut hashes = try_vec(strings.len())?;
    hashes.extend(strings.iter().map(|string| fingerprint64(string.as_bytes())));
    if count == 1 {
        return Ok(hashes);
    }
    let mut of_rows = try_vec(rows)?;
    for row in 0..rows {
        let bytes: Vec<u8> = hashes[row * count..][..count].iter().flat_map(|hash| hash.to_le_bytes()).collect();
        of_rows.push(fingerprint64(&bytes));
    }
    Ok(of_rows)
}

#[cfg(test)]
mod tests {
    use oplink::prelude::*;
    use oplink_cpu_support::testing::{check, check_error};

    #[test]
    fn rows_of_several_strings_are_hashed_twice() {
        let data = Tensor::from_vec([1, 2], ["a", "b"].map(TString::from).to_vec()).unwrap();
        let out = Tensor::from_vec([1, 8], vec![122u8, 64, 59, 169, 136, 60, 55, 83]).unwrap();
        check("Fingerprint", [data, "farmhash64".into()], out);
        let out = Tensor::from_vec([1, 8], vec![120u8, 144, 10, 78, 50, 189, 146, 48]).unwrap();
        for shape in [&[1][..], &[1, 1], &[1, 1, 1]] {
            let one = Tensor::from_vec(shape.to_vec(), vec![TString::from("_")]).unwrap();
            check("Fingerprint", [one, "farmhash64".into()], out.clone());
        }
        check_error("Fingerprint", [[1].into(), "other".into()], "must be farmhash64");
    }
}
