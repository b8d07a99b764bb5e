//! Files that TensorFlow wrote, with the pixels that it reads from them, and what is left of them when they are broken.

use oplink::prelude::*;

use oplink_cpu_support::testing::run;

/// A progressive file of 3 rows of 5 pixels, whose colours have half the size.
const PROGRESSIVE: &str = "\
    ffd8ffe000104a46494600010101012c012c0000ffdb0043000302020302020303030304030304050805050404050a070706080c0a0c0c \
    0b0a0b0b0d0e12100d0e110e0b0b1016101113141515150c0f171816141812141514ffdb00430103040405040509050509140d0b0d1414 \
    141414141414141414141414141414141414141414141414141414141414141414141414141414141414141414141414ffc20011080003 \
    000503012200021101031101ffc4001500010100000000000000000000000000000006ffc4001401010000000000000000000000000000 \
    0006ffda000c03010002100310000001ab0cccff00ffc40017100100030000000000000000000000000003010405ffda00080101000105 \
    02dba832dfffc40017110003010000000000000000000000000000010251ffda0008010301013f0199587fffc400181101000301000000 \
    0000000000000000000100020405ffda0008010201013f01e72b968b3fffc4001910000203010000000000000000000000000102000311 \
    31ffda0008010100063f0256352b13bd1b3fffc40017100100030000000000000000000000000001005161ffda0008010100013f215c44 \
    56e6cfffda000c03010002000300000010ff00ffc4001a110001050100000000000000000000000001001121314161ffda000801030101 \
    3f106661673a57ffc400171101010101000000000000000000000000011100b1ffda0008010201013f10442b1ebbffc400191000020301 \
    000000000000000000000000013100112141ffda0008010100013f101c88c58035d5361e5a13ffd9 \
    ";

fn file() -> Vec<u8> {
    let digits: Vec<u32> = PROGRESSIVE.chars().filter_map(|digit| digit.to_digit(16)).collect();
    digits.chunks_exact(2).map(|pair| (pair[0] * 16 + pair[1]) as u8).collect()
}

fn decode(file: &[u8], attrs: &[(&str, AttrValue)]) -> Result<Vec<u8>> {
    let contents = Tensor::scalar(TString::new(file));
    Ok(run("DecodeJpeg", attrs, vec![contents])?[0].as_slice::<u8>()?.to_vec())
}

#[test]
fn pixels_are_those_of_tensorflow() {
    let cases: [(&str, bool, [u8; 45]); 3] = [
        (
            "INTEGER_ACCURATE",
            true,
            [
                148, 223, 216, 105, 190, 185, 75, 175, 175, 51, 149, 174, 5, 82, 154, 146, 213, 204, 118, 195, 187,
                103, 197, 196, 54, 144, 170, 93, 161, 232, 185, 237, 224, 144, 206, 195, 144, 223, 218, 135, 211, 235,
                88, 141, 211,
            ],
        ),
        (
            "INTEGER_FAST",
            true,
            [
                147, 222, 215, 104, 189, 184, 73, 176, 175, 49, 149, 173, 5, 82, 152, 145, 212, 203, 117, 194, 186,
                103, 197, 196, 52, 144, 167, 93, 162, 231, 184, 238, 224, 143, 205, 194, 144, 223, 218, 134, 210, 233,
                89, 142, 210,
            ],
        ),
        (
            "INTEGER_ACCURATE",
            false,
            [
                148, 223, 216, 112, 187, 180, 68, 177, 180, 46, 155, 158, 11, 76, 170, 140, 215, 208, 119, 194, 187,
                92, 201, 204, 43, 152, 155, 93, 158, 252, 191, 235, 218, 157, 201, 184, 143, 223, 222, 135, 215, 214,
                99, 132, 227,
            ],
        ),
    ];
    for (method, fancy, expected) in cases {
        let attrs = [("dct_method", method.into()), ("fancy_upscaling", fancy.into())];
        assert_eq!(decode(&file(), &attrs).unwrap(), expected, "{method} {fancy}");
    }
    assert_eq!(decode(&file(), &[]).unwrap(), cases[1].2);
}

#[test]
fn a_file_that_is_cut_is_an_error() {
    let whole = file();
    for length in 0..whole.len() {
        assert!(decode(&whole[..length], &[]).is_err(), "{length} bytes");
    }
}

#[test]
fn no_byte_makes_it_panic() {
    let whole = file();
    for at in 0..whole.len() {
        for value in [0, 1, 0x7F, 0xFF, whole[at] ^ 0x10, whole[at].wrapping_add(1)] {
            // Large extents ask for much memory and time.
            if value != whole[at] && !(160..168).contains(&at) {
                let mut changed = whole.clone();
                changed[at] = value;
                let _ = decode(&changed, &[]);
            }
        }
    }
}
