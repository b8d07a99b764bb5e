//! `SdcaFprint`: FarmHash's `Fingerprint128` of strings, which is CityHash128.

use oplink::prelude::*;
use oplink_cpu_support::fingerprint::{K0, K1, combine, fold, up_to_16, weak, word, word_from_end};
use oplink_ops::string::SdcaFprint;

/// The factor by which two words become one.
const FACTOR: u64 = 0x9DDF_EA08_EB38_2D69;
/// Bytes that the loop over long strings takes in at a time, in two halves.
const ROUND: usize = 128;
/// Bytes that the end of a long string is taken in by.
const TAIL: usize = 32;
/// Low words that the op does not give: they stand for other things in tables of its callers.
const RESERVED: u64 = 2;

/// `SdcaFprint`.
#[kernel(SdcaFprint, device = CPU)]
pub fn sdca_fprint_cpu(input: &Tensor, mut output: OutputSlot<'_>, env: Env<'_>) -> Result<()> {
    ensure!(input.rank() == 1, "input must be a vector, its shape is {}", input.shape());
    let strings = input.as_slice::<TString>()?;
    let out = output.allocate([strings.len(), 2])?.as_mut_slice::<i64>()?;
    for (out, string) in out.as_chunks_mut().0.iter_mut().zip(env.watch(strings)) {
        let [low, high] = fingerprint128(string.as_bytes());
        let low = if low < RESERVED { low.wrapping_sub(RESERVED) } else { low };
        *out = [low as i64, high as i64];
    }
    Ok(())
}

/// The low and the high half of the fingerprint of `bytes`.
fn fingerprint128(bytes: &[u8]) -> [u64; 2] {
    match bytes.split_at_checked(16) {
        Some((first, rest)) => seeded(rest, [word(first, 0), word(first, 8).wrapping_add(K0)]),
        None => short(bytes, [K0, K1]),
    }
}

fn seeded(bytes: &[u8], seed: [u64; 2]) -> [u64; 2] {
    if bytes.len() < ROUND { short(bytes, seed) } else { long(bytes, seed) }
}

fn joined(first: u64, second: u64) -> u64 {
    combine(first, second, FACTOR)
}

fn short(bytes: &[u8], [mut a, mut b]: [u64; 2]) -> [u64; 2] {
    let length = bytes.len() as u64;
    let mixed = |word: u64| fold(word.wrapping_mul(K1)).wrapping_mul(K1);
    let (mut c, mut d);
    if bytes.len() <= 16 {
        a = mixed(a);
        c = b.wrapping_mul(K1).wrapping_add(up_to_16(bytes));
        d = fold(a.wrapping_add(if bytes.len() >= 8 { word(bytes, 0) } else { c }));
    } else {
        c = joined(word_from_end(bytes, 8).wrapping_add(K1), a);
        d = joined(b.wrapping_add(length), c.wrapping_add(word_from_end(bytes, 16)));
        a = a.wrapping_add(d);
        for pair in bytes.chunks(16).take((bytes.len() - 1) / 16) {
            a = (a ^ mixed(word(pair, 0))).wrapping_mul(K1);
            b ^= a;
            c = (c ^ mixed(word(pair, 8))).wrapping_mul(K1);
            d ^= c;
        }
    }
    (a, b) = (joined(a, c), joined(d, b));
    [a ^ b, joined(b, a)]
}

/// What the loop over long strings carries along.
struct State {
    x: u64,
    y: u64,
    z: u64,
    v: [u64; 2],
    w: [u64; 2],
}

impl State {
    /// Takes 64 bytes in.
    fn take(&mut self, bytes: &[u8]) {
        let Self { x, y, z, v, w } = self;
        *x = x.wrapping_add(*y).wrapping_add(v[0]).wrapping_add(word(bytes, 8)).rotate_right(37).wrapping_mul(K1);
        *y = y.wrapping_add(v[1]).wrapping_add(word(bytes, 48)).rotate_right(42).wrapping_mul(K1);
        *x ^= w[1];
        *y = y.wrapping_add(v[0]).wrapping_add(word(bytes, 40));
        *z = z.wrapping_add(w[0]).rotate_right(33).wrapping_mul(K1);
        *v = weak(bytes, v[1].wrapping_mul(K1), x.wrapping_add(w[0]));
        *w = weak(&bytes[32..], z.wrapping_add(w[1]), y.wrapping_add(word(bytes, 16)));
        std::mem::swap(z, x);
    }

    /// Takes 32 bytes of the string's end in.
    fn take_tail(&mut self, bytes: &[u8]) {
        let Self { x, y, z, v, w } = self;
        *y = x.wrapping_add(*y).rotate_right(42).wrapping_mul(K0).wrapping_add(v[1]);
        w[0] = w[0].wrapping_add(word(bytes, 16));
        *x = x.wrapping_mul(K0).wrapping_add(w[0]);
        *z = z.wrapping_add(w[1]).wrapping_add(word(bytes, 0));
        w[1] = w[1].wrapping_add(v[0]);
        *v = weak(bytes, v[0].wrapping_add(*z), v[1]);
        v[0] = v[0].wrapping_mul(K0);
    }
}

/// Of 128 bytes or more.
fn long(bytes: &[u8], [x, y]: [u64; 2]) -> [u64; 2] {
    let z = (bytes.len() as u64).wrapping_mul(K1);
    let first = (y ^ K1).rotate_right(49).wrapping_mul(K1).wrapping_add(word(bytes, 0));
    let v = [first, first.rotate_right(42).wrapping_mul(K1).wrapping_add(word(bytes, 8))];
    let w = [
        y.wrapping_add(z).rotate_right(35).wrapping_mul(K1).wrapping_add(x),
        x.wrapping_add(word(bytes, 88)).rotate_right(53).wrapping_mul(K1),
    ];
    let mut state = State { x, y, z, v, w };
    let rest = bytes.len() % ROUND;
    bytes[..bytes.len() - rest].chunks_exact(ROUND / 2).for_each(|half| state.take(half));
    let State { x, y, z, v, w } = &mut state;
    *x = x.wrapping_add(v[0].wrapping_add(*z).rotate_right(49).wrapping_mul(K0));
    *y = y.wrapping_mul(K0).wrapping_add(w[1].rotate_right(37));
    *z = z.wrapping_mul(K0).wrapping_add(w[0].rotate_right(27));
    w[0] = w[0].wrapping_mul(9);
    v[0] = v[0].wrapping_mul(K0);
    for tail in 1..=rest.div_ceil(TAIL) {
        state.take_tail(&bytes[bytes.len() - tail * TAIL..]);
    }
    let State { x, y, z, v, w } = state;
    let (x, y) = (joined(x, v[0]), joined(y.wrapping_add(z), w[0]));
    [joined(x.wrapping_add(v[1]), w[1]).wrapping_add(y), joined(x.wrapping_add(w[1]), y.wrapping_add(v[1]))]
}

#[cfg(test)]
mod tests {
    use oplink::prelude::*;
    use oplink_cpu_support::testing::{check, check_error};

    #[test]
    fn fingerprints_are_those_of_tensorflow() {
        let cases: [(String, [i64; 2]); 9] = [
            (String::new(), [4_463_240_938_071_824_939, 4_374_473_821_787_594_281]),
            ("a".into(), [7_969_074_168_056_553_668, 5_955_762_262_185_338_209]),
            ("abc".into(), [4_143_508_125_394_299_908, -6_879_828_354_153_669_051]),
            ("hello world".into(), [2_911_873_174_415_414_509, 6_996_746_284_954_752_264]),
            ("abcdefghijklmnop".into(), [4_884_664_341_716_474_623, -6_002_782_382_142_941_965]),
            ("x".repeat(17), [6_750_864_138_911_643_067, 4_963_244_384_729_455_311]),
            ("y".repeat(40), [-380_523_649_718_936_798, -1_157_855_863_885_851_855]),
            ("z".repeat(100), [1_531_323_428_396_745_933, 3_023_694_414_552_518_728]),
            ("w".repeat(200), [109_267_649_667_465_115, -7_003_517_572_791_534_806]),
        ];
        for (text, expected) in cases {
            let expected = Tensor::from_vec([1, 2], expected.to_vec()).unwrap();
            check("SdcaFprint", [[TString::from(text.as_str())].into()], expected);
        }
    }

    #[test]
    fn input_must_be_a_vector() {
        check_error("SdcaFprint", ["a".into()], "must be a vector");
    }
}
