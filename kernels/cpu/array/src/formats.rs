//! `DataFormatDimMap` and `DataFormatVecPermute`: axes and extents from one order of axes to another.

use oplink::prelude::*;
use oplink::shape_inference::int_values;
use oplink_ops::array::{DataFormatDimMap, DataFormatVecPermute};

use crate::arguments::write_integers;

/// The place in `to` of each letter of `from`.
fn places(from: &[u8], to: &[u8]) -> Result<Vec<usize>> {
    let is_one_of = |letters: &[u8], letter: &u8| {
        let mut found = letters.iter().filter(|other| *other == letter);
        found.next().is_some() && found.next().is_none()
    };
    let fits = from.len() == to.len() && from.iter().all(|letter| is_one_of(from, letter) && is_one_of(to, letter));
    let text = |letters: &[u8]| String::from_utf8_lossy(letters).into_owned();
    ensure!(fits, "src_format and dst_format must have the same letters, they are {} and {}", text(from), text(to));
    Ok(from.iter().filter_map(|letter| to.iter().position(|other| other == letter)).collect())
}

/// The letters of both orders, 4 or 5 of each.
fn orders<'a>(src: &'a str, dst: &'a str) -> Result<[&'a [u8]; 2]> {
    for (name, order) in [("src_format", src), ("dst_format", dst)] {
        ensure!(matches!(order.len(), 4 | 5), "{name} must have 4 or 5 letters, it is {order}");
    }
    Ok([src.as_bytes(), dst.as_bytes()])
}

/// `DataFormatDimMap` of int32 and int64.
#[kernel(DataFormatDimMap, device = CPU, T = any)]
pub fn data_format_dim_map_cpu(x: &Tensor, src_format: &str, dst_format: &str, mut y: OutputSlot<'_>) -> Result<()> {
    let [src, dst] = orders(src_format, dst_format)?;
    let places = places(src, dst)?;
    let axis = |axis: i64| places[axis.rem_euclid(places.len() as i64) as usize] as i64;
    let values: Vec<i64> = int_values(x)?.into_iter().map(axis).collect();
    write_integers(y.allocate(x.shape().clone())?, &values)
}

/// `DataFormatVecPermute` of int32 and int64.
#[kernel(DataFormatVecPermute, device = CPU, T = any)]
pub fn data_format_vec_permute_cpu(
    x: &Tensor,
    src_format: &str,
    dst_format: &str,
    mut y: OutputSlot<'_>,
) -> Result<()> {
    let [src, dst] = orders(src_format, dst_format)?;
    let whole = places(src, dst)?;
    let (rows, width) = match *x.shape().dims() {
        [rows] => (rows, 1),
        [rows, 2] => (rows, 2),
        _ => bail!("x must be a vector or have two columns, its shape is {}", x.shape()),
    };
    let (axes, spatial) = (whole.len(), whole.len() - 2);
    ensure!(rows == axes || rows == spatial, "x must have {spatial} or {axes} rows, its shape is {}", x.shape());
    let places = if rows == axes {
        whole
    } else {
        let inner = |order: &[u8]| order.iter().copied().filter(|letter| b"DHW".contains(letter)).collect::<Vec<_>>();
        let places = places(&inner(src), &inner(dst))?;
        ensure!(places.len() == rows, "src_format {src_format} must have {rows} of the letters D, H and W");
        places
    };
    let given = int_values(x)?;
    let mut values = given.clone();
    for (row, place) in places.into_iter().enumerate() {
        values[place * width..][..width].copy_from_slice(&given[row * width..][..width]);
    }
    write_integers(y.allocate(x.shape().clone())?, &values)
}

#[cfg(test)]
mod tests {
    use oplink_cpu_support::testing::{check, check_with};

    #[test]
    fn values_are_those_of_tensorflow() {
        check("DataFormatDimMap", [[0, 1, 2, 3, -1, -4, 5].into()], [0, 2, 3, 1, 1, 0, 2]);
        check("DataFormatVecPermute", [[10, 20, 30, 40].into()], [10, 40, 20, 30]);
        check("DataFormatVecPermute", [[10, 20].into()], [10, 20]);
        let turned = [("src_format", "NHWC".into()), ("dst_format", "NCWH".into())];
        check_with("DataFormatVecPermute", &turned, [[10, 20].into()], [20, 10]);
    }
}
