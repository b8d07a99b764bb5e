//! The string kernels against `../oracle/string.txt`, and pictures in summaries against `../oracle/string_images.txt`.

use oplink::prelude::*;
use oplink_cpu_support::testing::run;
use png::{ColorType, Decoder};

use crate::case::{attr, tensor, texts};
use crate::golden::check_all;

const CASES: &str = include_str!("../oracle/string.txt");
const IMAGES: &str = include_str!("../oracle/string_images.txt");
const SIGNATURE: &[u8] = b"\x89PNG";

#[test]
fn kernels_compute_what_tensorflow_does() {
    check_all(CASES, 1);
}

#[test]
fn threads_change_nothing() {
    check_all(CASES, 3);
}

/// Pixels are compared: compressors differ.
#[test]
fn pictures_have_the_pixels_of_tensorflow() {
    for case in IMAGES.lines() {
        let [op, attrs, inputs, outputs, _] = case.split('|').collect::<Vec<_>>()[..] else { panic!("{case}") };
        let actual = run(op, &texts(attrs).map(attr).collect::<Vec<_>>(), texts(inputs).map(tensor).collect());
        match outputs.strip_prefix('!') {
            Some(code) => assert_eq!(format!("{:?}", actual.unwrap_err().code()), code, "{case}"),
            None => assert_eq!(
                pictures(&actual.unwrap()[0]),
                texts(outputs).map(tensor).map(AttrValue::from).collect::<Vec<_>>(),
                "{case}"
            ),
        }
    }
}

/// The tag and the pixels of each picture of a summary.
fn pictures(summary: &Tensor) -> Vec<AttrValue> {
    let summary = summary.to_scalar::<TString>().unwrap();
    let mut rest = summary.as_bytes();
    let mut pictures = Vec::new();
    while let Some(at) = rest.windows(SIGNATURE.len()).position(|window| window == SIGNATURE) {
        // A value starts with its key and length, the tag's key, the tag's length and the tag; all are short here.
        let (length, tag) = (usize::from(rest[1]) + 2, &rest[4..][..usize::from(rest[3])]);
        pictures.push(Tensor::scalar(TString::new(tag)).into());
        pictures.push(pixels(&rest[at..length]).into());
        rest = &rest[length..];
    }
    pictures
}

fn pixels(png: &[u8]) -> Tensor {
    let mut reader = Decoder::new(std::io::Cursor::new(png)).read_info().unwrap();
    let mut bytes = vec![0; reader.output_buffer_size().unwrap()];
    let info = reader.next_frame(&mut bytes).unwrap();
    let depth = match info.color_type {
        ColorType::Grayscale => 1,
        ColorType::Rgb => 3,
        _ => 4,
    };
    Tensor::from_vec([info.height as usize, info.width as usize, depth], bytes).unwrap()
}
