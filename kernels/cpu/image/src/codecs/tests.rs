//! Files that are written here and read again, and files that are not valid.

use oplink::prelude::*;

use oplink_cpu_support::testing::{check_error, run};

/// An image of a few colours.
fn picture(channels: usize) -> Tensor {
    let values = (0..5 * 7 * channels).map(|at| (at * 37 % 256) as u8).collect();
    Tensor::from_vec([5, 7, channels], values).unwrap()
}

fn string(bytes: impl Into<Vec<u8>>) -> Tensor {
    Tensor::scalar(TString::new(bytes.into()))
}

fn bytes_of(file: &Tensor) -> Vec<u8> {
    file.as_slice::<TString>().unwrap()[0].as_bytes().to_vec()
}

fn one(op: &str, attrs: &[(&str, AttrValue)], inputs: Vec<Tensor>) -> Tensor {
    run(op, attrs, inputs).unwrap().remove(0)
}

#[test]
fn a_png_comes_back() {
    for channels in 1..5 {
        for level in [-1, 0, 9] {
            let file = one("EncodePng", &[("compression", level.into())], vec![picture(channels)]);
            let back = one("DecodePng", &[], vec![file.clone()]);
            assert_eq!(back.as_bytes().unwrap(), picture(channels).as_bytes().unwrap());
            assert_eq!(one("DecodeImage", &[], vec![file]).shape(), picture(channels).shape());
        }
    }
    let words = Tensor::from_vec([1, 2, 1], vec![0x1234u16, 0xFFFE]).unwrap();
    let file = one("EncodePng", &[], vec![words.clone()]);
    let deep = [("dtype", DType::UInt16.into())];
    assert_eq!(one("DecodePng", &deep, vec![file.clone()]).as_bytes().unwrap(), words.as_bytes().unwrap());
    assert_eq!(one("DecodePng", &[], vec![file]).as_slice::<u8>().unwrap(), [0x12, 0xFF]);
}

#[test]
fn channels_of_a_png_are_made_of_each_other() {
    let pixel = |values: &[u8]| Tensor::from_vec([1, 1, values.len()], values.to_vec()).unwrap();
    let cases: [(&[u8], i64, &[u8]); 6] = [
        (&[9], 3, &[9, 9, 9]),
        (&[9], 4, &[9, 9, 9, 255]),
        (&[9, 7], 1, &[9]),
        (&[10, 20, 30], 1, &[18]),
        (&[10, 20, 30, 40], 3, &[10, 20, 30]),
        (&[10, 20, 30], 4, &[10, 20, 30, 255]),
    ];
    for (from, channels, to) in cases {
        let file = one("EncodePng", &[], vec![pixel(from)]);
        let back = one("DecodePng", &[("channels", channels.into())], vec![file]);
        assert_eq!(back.as_slice::<u8>().unwrap(), to, "{from:?}");
    }
}

#[test]
fn a_jpeg_comes_back_nearly() {
    let flat = Tensor::full([17, 20, 3], 100u8);
    for attrs in [vec![], vec![("progressive", true.into())], vec![("chroma_downsampling", false.into())]] {
        let file = one("EncodeJpeg", &attrs, vec![flat.clone()]);
        let back = one("DecodeJpeg", &[], vec![file.clone()]);
        assert_eq!(back.shape(), flat.shape());
        assert!(back.as_slice::<u8>().unwrap().iter().all(|&value| value.abs_diff(100) <= 1));
        assert_eq!(one("ExtractJpegShape", &[], vec![file.clone()]).as_slice::<i32>().unwrap(), [17, 20, 3]);
        let half = one("DecodeJpeg", &[("ratio", 2.into())], vec![file.clone()]);
        assert_eq!(half.shape().dims(), [9, 10, 3]);
        let part = one("DecodeAndCropJpeg", &[], vec![file.clone(), [1, 2, 3, 4].into()]);
        assert_eq!(part.shape().dims(), [3, 4, 3]);
        assert!(run("DecodeAndCropJpeg", &[], vec![file, [1, 2, 3, 40].into()]).is_err());
    }
}

#[test]
fn a_bmp_by_hand() {
    // Two rows of one pixel of 24 bits, the lower first, each padded to four bytes.
    let mut file = b"BM".to_vec();
    file.resize(54, 0);
    file[10] = 54;
    (file[18], file[22], file[28]) = (1, 2, 24);
    file.extend([3, 2, 1, 0, 6, 5, 4, 0]);
    assert_eq!(one("DecodeBmp", &[], vec![string(file.clone())]).as_slice::<u8>().unwrap(), [4, 5, 6, 1, 2, 3]);
    file.pop();
    check_error("DecodeBmp", [string(file)], "the BMP must have 62 bytes");
}

#[test]
fn a_gif_of_two_frames() {
    let mut file = Vec::new();
    let mut encoder = gif::Encoder::new(&mut file, 2, 1, &[10, 11, 12, 20, 21, 22]).unwrap();
    let frame = |left, width, pixels: &[u8]| gif::Frame {
        left,
        width,
        height: 1,
        transparent: None,
        buffer: pixels.to_vec().into(),
        ..gif::Frame::default()
    };
    encoder.write_frame(&frame(0, 2, &[0, 1])).unwrap();
    encoder.write_frame(&frame(1, 1, &[0])).unwrap();
    drop(encoder);
    let both = one("DecodeGif", &[], vec![string(file.clone())]);
    assert_eq!(both.shape().dims(), [2, 1, 2, 3]);
    assert_eq!(both.as_slice::<u8>().unwrap(), [10, 11, 12, 20, 21, 22, 10, 11, 12, 10, 11, 12]);
    let first = one("DecodeImage", &[("expand_animations", false.into())], vec![string(file.clone())]);
    assert_eq!(first.shape().dims(), [1, 2, 3]);
    check_error("DecodePng", [string(file)], "has 2 frames");
}

#[test]
fn a_file_that_says_to_be_huge_is_an_error_before_memory_is_asked_for() {
    let mut png = bytes_of(&one("EncodePng", &[], vec![picture(3)]));
    png[16..24].copy_from_slice(&[0, 0, 0x80, 0, 0, 1, 0, 0]);
    let checksum = crc32(&png[12..29]);
    png[29..33].copy_from_slice(&checksum.to_be_bytes());
    check_error("DecodePng", [string(png)], "less than 2^29 pixels");
    let mut bmp = b"BM".to_vec();
    bmp.resize(54, 0);
    bmp[18..26].copy_from_slice(&[0, 0, 0, 0x7F, 0, 0, 0, 0x7F]);
    bmp[28] = 24;
    check_error("DecodeBmp", [string(bmp)], "less than 2^29 pixels");
}

/// The checksum of a PNG's chunks.
fn crc32(bytes: &[u8]) -> u32 {
    let step = |sum: u32, _| if sum & 1 == 1 { 0xEDB8_8320 ^ (sum >> 1) } else { sum >> 1 };
    !bytes.iter().fold(!0, |sum, &byte| (0..8).fold(sum ^ u32::from(byte), step))
}

#[test]
fn files_that_are_cut_or_unknown_are_errors() {
    let files = [("EncodePng", picture(3)), ("EncodeJpeg", picture(3))].map(|(op, image)| one(op, &[], vec![image]));
    for file in files {
        let bytes = bytes_of(&file);
        for end in [3, 10, 30, bytes.len() / 2] {
            assert!(run("DecodeImage", &[], vec![string(&bytes[..end])]).is_err(), "{end}");
        }
    }
    check_error("DecodeImage", [string("plain text")], "no known format");
    check_error("DecodeImage", [string("")], "empty");
    check_error("EncodeJpeg", [picture(2)], "channels");
    check_error("EncodePng", [picture(5)], "1 to 4 channels");
}
