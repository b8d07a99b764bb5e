//! Every part of a tensor, read from every way of storing it.

use oplink_api::{Code, DType, Shape, TString, Tensor};
use oplink_bundle::{BundleReader, BundleWriter, ShapeAndSlice, TensorSlice};
use proptest::prelude::*;

use crate::cases::assert_same;
use crate::files::Folder;

/// The elements of a part, by index arithmetic alone.
fn picked<T: oplink_api::Element>(tensor: &Tensor, slice: &TensorSlice) -> Tensor {
    let ranges = slice.ranges(tensor.shape()).unwrap();
    let elements = tensor.as_slice::<T>().unwrap();
    let inside = |mut flat: usize| {
        let dims = tensor.shape().iter().zip(&ranges).rev();
        dims.fold(true, |inside, (&dim, range)| {
            let position = flat % dim;
            flat /= dim;
            inside && range.contains(&position)
        })
    };
    let values = (0..elements.len()).filter(|&flat| inside(flat)).map(|flat| elements[flat].clone()).collect();
    Tensor::from_vec(slice.shape_in(tensor.shape()).unwrap(), values).unwrap()
}

fn pick(tensor: &Tensor, slice: &TensorSlice) -> Tensor {
    match tensor.dtype() {
        DType::String => picked::<TString>(tensor, slice),
        DType::Bool => picked::<bool>(tensor, slice),
        DType::UInt16 => picked::<u16>(tensor, slice),
        other => panic!("{other}"),
    }
}

fn tensor(dtype: DType, shape: &Shape) -> Tensor {
    let count = shape.num_elements();
    match dtype {
        DType::String => {
            Tensor::from_vec(shape.clone(), (0..count).map(|i| TString::from("s".repeat(i % 40))).collect()).unwrap()
        }
        DType::Bool => Tensor::from_vec(shape.clone(), (0..count).map(|i| i % 3 == 0).collect()).unwrap(),
        _ => Tensor::from_vec(shape.clone(), (0..count).map(|i| i as u16).collect()).unwrap(),
    }
}

/// A cut along each axis: the pieces of a partition, or the bounds of a wanted part.
fn cuts() -> impl Strategy<Value = Vec<(usize, usize, usize, usize)>> {
    proptest::collection::vec((1..6_usize, any::<proptest::sample::Index>(), any::<u8>(), any::<u8>()), 0..4).prop_map(
        |axes| {
            let axis = |(dim, cut, a, b): (usize, proptest::sample::Index, u8, u8)| {
                let (a, b) = (usize::from(a) % dim, usize::from(b) % dim);
                (dim, cut.index(dim), a.min(b), a.max(b) + 1)
            };
            axes.into_iter().map(axis).collect()
        },
    )
}

/// The boxes that the cuts divide a tensor into.
fn boxes(axes: &[(usize, usize, usize, usize)]) -> Vec<TensorSlice> {
    let mut all = vec![Vec::new()];
    for &(dim, cut, _, _) in axes {
        let parts = [0..cut, cut..dim];
        let parts = parts.iter().filter(|part| !part.is_empty());
        all = parts.flat_map(|part| all.iter().map(|b| [&b[..], &[Some(part.clone())]].concat())).collect();
    }
    all.into_iter().map(|extents| TensorSlice::new(extents).unwrap()).collect()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 60, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_part_reads_from_any_pieces(axes in cuts(), dtype in 0..3_usize) {
        let folder = Folder::new("any-part");
        let shape: Shape = axes.iter().map(|axis| axis.0).collect();
        let tensor = tensor([DType::String, DType::Bool, DType::UInt16][dtype], &shape);
        let wanted = TensorSlice::new(axes.iter().map(|axis| Some(axis.2..axis.3)).collect::<Vec<_>>()).unwrap();
        let mut writer = BundleWriter::new(folder.join("b")).unwrap();
        writer.add("whole", &tensor).unwrap();
        for slice in boxes(&axes) {
            writer.add_slice("pieces", &shape, &slice, &pick(&tensor, &slice)).unwrap();
        }
        writer.finish().unwrap();
        let reader = BundleReader::open(folder.join("b")).unwrap();
        for name in ["whole", "pieces"] {
            assert_same(&reader.read(name).unwrap(), &tensor);
            assert_same(&reader.read_slice(name, &wanted).unwrap(), &pick(&tensor, &wanted));
        }
    }
}

/// Larger than the pieces that are read at a time, so that runs cross their bounds.
#[test]
fn parts_of_a_large_tensor() {
    let folder = Folder::new("large");
    let (rows, columns) = (700, 1003);
    let values: Vec<f64> = (0..rows * columns).map(|i| i as f64).collect();
    let tensor = Tensor::from_vec([rows, columns], values).unwrap();
    let mut writer = BundleWriter::new(folder.join("b")).unwrap();
    writer.add("x", &tensor).unwrap();
    writer.add("strings", &Tensor::from_vec([3], vec![TString::from("abc".repeat(300_000)); 3]).unwrap()).unwrap();
    writer.finish().unwrap();
    let reader = BundleReader::open(folder.join("b")).unwrap();
    assert_same(&reader.read("x").unwrap(), &tensor);
    for text in ["700 1003 1,698:1,1001", "700 1003 3,690:-", "700 1003 -:1002,1"] {
        let spec = ShapeAndSlice::parse(text).unwrap();
        assert_same(&reader.read_slice("x", &spec.slice).unwrap(), &picked::<f64>(&tensor, &spec.slice));
    }
    let strings = reader.read("strings").unwrap();
    assert!(strings.as_slice::<TString>().unwrap().iter().all(|s| s.as_bytes() == "abc".repeat(300_000).as_bytes()));
}

#[test]
fn slices_that_do_not_make_up_the_tensor_are_errors() {
    let folder = Folder::new("gaps");
    let save = |name: &str, parts: [&str; 2]| {
        let mut writer = BundleWriter::new(folder.join(name)).unwrap();
        for part in parts {
            let spec = ShapeAndSlice::parse(part).unwrap();
            let tensor = Tensor::zeros(DType::Int32, spec.slice_shape).unwrap();
            writer.add_slice("x", &spec.shape, &spec.slice, &tensor).unwrap();
        }
        writer.finish().unwrap();
        BundleReader::open(folder.join(name)).unwrap()
    };
    let gap = save("gap", ["4 0,1", "4 1,2"]);
    assert_eq!(gap.read("x").unwrap_err().code(), Code::InvalidArgument);
    assert_eq!(gap.read_slice("x", &TensorSlice::parse("0,3").unwrap()).unwrap().shape().dims(), [3]);
    assert_eq!(gap.read_slice("x", &TensorSlice::parse("0,5").unwrap()).unwrap_err().code(), Code::Internal);
    assert_eq!(save("overlap", ["4 0,2", "4 1,2"]).read("x").unwrap_err().code(), Code::Internal);
}

#[test]
fn what_cannot_be_saved() {
    let folder = Folder::new("cannot");
    let vector = Tensor::from([1, 2]);
    let full = Shape::new(&[4]);
    let slice = |text| TensorSlice::parse(text).unwrap();
    let refused = |add: &dyn Fn(&mut BundleWriter) -> oplink_api::Result<()>| {
        let mut writer = BundleWriter::new(folder.join("b")).unwrap();
        assert!(add(&mut writer).is_err());
        assert!(writer.add("later", &vector).is_err());
        assert!(writer.finish().is_err());
        assert!(folder.names().is_empty());
    };
    refused(&|w| w.add("", &vector));
    refused(&|w| w.add("x", &vector).and_then(|()| w.add("x", &vector)));
    refused(&|w| w.add("x", &Tensor::zeros(DType::Resource, [1]).unwrap()));
    refused(&|w| w.add_slice("x", &full, &slice("0,3"), &vector));
    refused(&|w| w.add_slice("x", &full, &slice("3,2"), &vector));
    refused(&|w| w.add_slice("x", &full, &slice("-:-"), &vector));
    refused(&|w| w.add("x", &vector).and_then(|()| w.add_slice("x", &full, &slice("0,2"), &vector)));
    let twice = |w: &mut BundleWriter, full: &Shape, second: &Tensor| {
        w.add_slice("x", &Shape::new(&[4]), &slice("0,2"), &vector)?;
        w.add_slice("x", full, &slice("2,2"), second)
    };
    refused(&|w| twice(w, &Shape::new(&[5]), &vector));
    refused(&|w| twice(w, &full, &Tensor::from([1.0f32, 2.0])));
    refused(&|w| w.add_slice("x", &full, &slice("0,2"), &vector).and_then(|()| w.add("x", &vector)));
}
