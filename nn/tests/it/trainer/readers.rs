//! Data that is read from files: images, comma-separated values, records.

use std::path::Path;

use oplink::Value;
use oplink::nn::data::{Batch, Csv, Dataset, ImageFolder, TfRecords, decode_image};
use oplink::nn::layers::Dense;
use oplink::nn::optimizers::Adam;
use oplink::nn::trainer::Trainer;
use oplink::nn::{apply, losses};
use oplink::ops::EncodePng;
use oplink::prelude::*;

use super::{Folder, silent};

/// Five examples that TensorFlow wrote, by `make_records.py`.
const EXAMPLES: &[u8] = include_bytes!("../../oracle/examples.tfrecord");

fn all(data: &dyn Dataset, epoch: u64) -> Result<Vec<Batch>> {
    data.batches(epoch, 0)?.collect()
}

/// The targets of an epoch.
fn targets<T: oplink::Element + Clone>(data: &dyn Dataset, epoch: u64) -> Result<Vec<T>> {
    let batches = all(data, epoch)?;
    let parts = batches.iter().map(|batch| Ok(batch.y.as_slice::<T>()?.to_vec()));
    parts.collect::<Result<Vec<_>>>().map(|parts| parts.concat())
}

fn told(data: &dyn Dataset) -> String {
    all(data, 0).unwrap_err().to_string()
}

/// An image of one colour.
fn write_png(path: &Path, [rows, columns]: [usize; 2], colour: [u8; 3]) -> Result<()> {
    let pixels = Tensor::from_vec([rows, columns, 3], colour.repeat(rows * columns))?;
    let file = apply([&Value::new(pixels)], |scope, [image]| EncodePng::builder().build(scope, image))?;
    std::fs::create_dir_all(path.parent().unwrap_or(path))?;
    std::fs::write(path, file.tensor()?.to_scalar::<TString>()?.as_bytes())?;
    Ok(())
}

#[test]
fn images_are_in_a_folder_for_each_class() -> Result<()> {
    let folder = Folder::new("images");
    let path = |name: &str| folder.0.join(name);
    for at in 0..3 {
        write_png(&path(&format!("rose/{at}.png")), [4 + at, 6], [200, at as u8, 0])?;
        write_png(&path(&format!("daisy/more/{at}.PNG")), [3, 3], [100, at as u8, 0])?;
    }
    std::fs::write(path("rose/notes.txt"), "no image")?;
    #[cfg(unix)]
    std::os::unix::fs::symlink(path("daisy"), path("daisy/more/again"))?;
    let data = ImageFolder::new(&folder.0, [2, 3])?.batch_size(4);
    assert_eq!(
        (data.class_names(), data.len(), data.num_batches()),
        (&["daisy".into(), "rose".into()][..], 6, Some(2))
    );
    let batches = all(&data, 0)?;
    assert_eq!((batches[0].x.shape().dims(), batches[1].x.shape().dims()), (&[4, 2, 3, 3][..], &[2, 2, 3, 3][..]));
    assert_eq!(targets::<i32>(&data, 0)?, [0, 0, 0, 1, 1, 1]);
    for batch in all(&data.clone().shuffle(3), 1)? {
        for (image, class) in batch.x.as_slice::<f32>()?.chunks(18).zip(batch.y.as_slice::<i32>()?) {
            assert!(image.chunks(3).all(|pixel| pixel[0] == [100.0, 200.0][*class as usize] && pixel == &image[..3]));
        }
    }
    let (train, test) = data.clone().split(0.34, 1)?;
    assert_eq!((train.len(), test.len()), (4, 2));
    assert_eq!(all(&data.clone().channels(1)?, 0)?[0].x.shape().dims(), [4, 2, 3, 1]);
    assert!(data.clone().channels(2).is_err() && data.clone().split(0.0, 1).is_err());
    std::fs::write(path("rose/0.png"), "no image either")?;
    let error = told(&data);
    assert!(error.contains("rose") && error.contains("0.png"), "{error}");
    assert!(ImageFolder::new(path("rose"), [2, 2]).unwrap_err().message().contains("no folders with images"));
    assert!(ImageFolder::new(path("none"), [2, 2]).is_err() && ImageFolder::new(&folder.0, [0, 2]).is_err());
    assert!(decode_image(b"GIF89a", [1, 1], 3).is_err());
    Ok(())
}

#[test]
fn columns_are_inputs_and_targets() -> Result<()> {
    let folder = Folder::new("csv");
    let path = folder.0.join("plants.csv");
    let text =
        "\"width\",height,kind,\"a \"\"note\"\"\"\r\n1,2.5,rose,x\r\n\r\n3,4e1, daisy ,\"of two\nlines\"\n5,,rose,\n";
    std::fs::write(&path, text)?;
    let data = Csv::open(&path)?;
    assert_eq!((data.names(), data.len()), (&["width", "height", "kind", "a \"note\""].map(String::from)[..], 3));
    let numbers = data.clone().inputs(&["height", "width"])?.missing(-1.0);
    let kinds = numbers.clone().classes("kind", &["daisy", "rose"])?;
    let batch = all(&kinds, 0)?.remove(0);
    assert_eq!((batch.x.shape().dims(), batch.y.shape().dims()), (&[3, 2][..], &[3][..]));
    assert_eq!(batch.x.as_slice::<f32>()?, [2.5, 1.0, 40.0, 3.0, -1.0, 5.0]);
    assert_eq!(batch.y.as_slice::<i32>()?, [1, 0, 1]);
    let widths = numbers.inputs(&["height"])?.targets(&["width"])?;
    assert_eq!(all(&widths, 0)?[0].y.shape().dims(), [3, 1]);
    let shuffled = widths.clone().batch_size(2).shuffle(4);
    let mut seen = targets::<f32>(&shuffled, 0)?;
    assert_eq!(seen, targets::<f32>(&shuffled, 0)?);
    seen.sort_by(f32::total_cmp);
    assert_eq!(seen, [1.0, 3.0, 5.0]);

    let error = told(&data.clone().inputs(&["height"])?.targets(&["width"])?);
    assert!(error.contains("plants.csv, line 6: the column `height` is empty"), "{error}");
    let error = told(&data.clone().inputs(&["kind"])?);
    assert!(error.contains("plants.csv, line 2: the column `kind` has `rose`, which is no number"), "{error}");
    let error = told(&data.clone().inputs(&["width"])?.classes("kind", &["rose"])?);
    assert!(error.contains("line 4: the column `kind` has `daisy`, which is none of the classes"), "{error}");
    assert!(data.inputs(&["depth"]).unwrap_err().message().contains("no column `depth`"));
    for (text, what) in [
        ("a,b\n1,2\n1,2,3\n", "line 3: 3 fields, where the first line names 2 columns"),
        ("a,b\n1,\"2\n1,2\n", "line 2: a field begins with a quote that has no end"),
        ("a,a\n", "line 1: the column `a` is named twice"),
        ("", "has no line that names its columns"),
    ] {
        std::fs::write(&path, text)?;
        let error = Csv::open(&path).and_then(|data| all(&data, 0)).unwrap_err().to_string();
        assert!(error.contains(what), "{error}");
    }
    Ok(())
}

#[test]
fn records_of_tensorflow_are_examples() -> Result<()> {
    let folder = Folder::new("records");
    let paths = ["a.tfrecord", "b.tfrecord"].map(|name| folder.0.join(name));
    paths.iter().try_for_each(|path| std::fs::write(path, EXAMPLES))?;
    let data = TfRecords::open(&paths)?.x("x", DType::Float, [2])?.y("label", DType::Int64, [])?.batch_size(4);
    assert_eq!((data.len(), data.num_batches()), (10, Some(3)));
    let first = all(&data, 0)?.remove(0);
    assert_eq!((first.x.shape().dims(), first.y.shape().dims()), (&[4, 2][..], &[4][..]));
    assert_eq!(first.x.as_slice::<f32>()?, [0.0, 0.5, 1.0, 1.5, 2.0, 2.5, 3.0, 3.5]);
    assert_eq!(targets::<i64>(&data, 0)?, [0, 1, 2, 0, 1, 0, 1, 2, 0, 1]);
    for batch in all(&data.clone().shuffle(2), 0)? {
        let pairs = batch.x.as_slice::<f32>()?.chunks(2).zip(batch.y.as_slice::<i64>()?);
        assert!(pairs.into_iter().all(|(x, &label)| x[1] == x[0] + 0.5 && x[0] as i64 % 3 == label));
    }
    let model = Dense::new(2, 3)?;
    let trainer = Trainer::new(&model, Adam::new(0.01), losses::sparse_categorical_crossentropy)?;
    assert_eq!(trainer.fit(&data, silent(2))?.epochs().len(), 2);

    let error = told(&data.clone().x("text", DType::String, [])?);
    assert!(error.contains("record 4 of") && error.contains("a.tfrecord") && error.contains("text"), "{error}");
    let error = told(&data.clone().x("x", DType::Float, [3])?);
    assert!(error.contains("record 0 of") && error.contains("a.tfrecord"), "{error}");
    assert!(told(&TfRecords::open(&paths)?).contains("`TfRecords::x`"));
    assert!(data.x("x", DType::Int32, [2]).unwrap_err().message().contains("cannot be of int32"));
    Ok(())
}

#[test]
fn damaged_records_are_told_with_their_file() -> Result<()> {
    let folder = Folder::new("damaged");
    let path = folder.0.join("a.tfrecord");
    let open = |bytes: &[u8]| -> Result<Vec<Batch>> {
        std::fs::write(&path, bytes)?;
        all(&TfRecords::open([&path])?.x("x", DType::Float, [2])?.y("label", DType::Int64, [])?, 0)
    };
    assert_eq!(open(EXAMPLES)?.len(), 1);
    for (at, what) in [(3, "its length is wrong: is it compressed"), (30, "the checksum of its bytes is wrong")] {
        let mut bytes = EXAMPLES.to_vec();
        bytes[at] ^= 1;
        let error = open(&bytes).unwrap_err().to_string();
        assert!(error.contains("record 0 of") && error.contains("a.tfrecord") && error.contains(what), "{error}");
    }
    for kept in [EXAMPLES.len() - 1, EXAMPLES.len() - 4] {
        let error = open(&EXAMPLES[..kept]).unwrap_err().to_string();
        assert!(error.contains("record 4 of") && error.contains("the file ends inside it"), "{error}");
    }
    assert!(open(&EXAMPLES[..5]).is_err());
    Ok(())
}
