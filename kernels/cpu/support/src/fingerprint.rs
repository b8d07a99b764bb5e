//! FarmHash's `Fingerprint64`, a hash of bytes that stays the same for ever.

/// A factor of the hash.
pub const K0: u64 = 0xC3A5_C85C_97CB_3127;
/// A factor of the hash.
pub const K1: u64 = 0xB492_B66F_BE98_F273;
const K2: u64 = 0x9AE1_6A3B_2F90_404F;
/// Bytes that a round of the loop over long strings takes in.
const ROUND: usize = 64;

/// The fingerprint of `bytes`.
pub fn fingerprint64(bytes: &[u8]) -> u64 {
    match bytes.len() {
        0..=16 => up_to_16(bytes),
        17..=32 => up_to_32(bytes),
        33..=64 => up_to_64(bytes),
        _ => long(bytes),
    }
}

/// A fingerprint of two fingerprints, in their order: TensorFlow's `FingerprintCat64`, made of steps of MurmurHash.
pub fn fingerprint_cat64(first: u64, second: u64) -> u64 {
    const FACTOR: u64 = 0xC6A4_A793_5BD1_E995;
    let mixed = first ^ FACTOR ^ fold(second.wrapping_mul(FACTOR)).wrapping_mul(FACTOR);
    fold(fold(mixed.wrapping_mul(FACTOR)).wrapping_mul(FACTOR))
}

/// Eight bytes from a position on.
pub fn word(bytes: &[u8], at: usize) -> u64 {
    bytes[at..].first_chunk().map_or(0, |chunk| u64::from_le_bytes(*chunk))
}

/// Eight bytes that end so far from the end.
pub fn word_from_end(bytes: &[u8], distance: usize) -> u64 {
    word(bytes, bytes.len() - distance)
}

fn half_word(bytes: &[u8], at: usize) -> u64 {
    bytes[at..].first_chunk().map_or(0, |chunk| u64::from(u32::from_le_bytes(*chunk)))
}

/// The value mixed with its high bits.
pub fn fold(value: u64) -> u64 {
    value ^ value >> 47
}

/// Two values made one.
pub fn combine(u: u64, v: u64, factor: u64) -> u64 {
    let a = fold((u ^ v).wrapping_mul(factor));
    fold((v ^ a).wrapping_mul(factor)).wrapping_mul(factor)
}

/// The factor that depends on the length.
fn factor(bytes: &[u8]) -> u64 {
    K2.wrapping_add(bytes.len() as u64 * 2)
}

/// The fingerprint of at most 16 bytes.
pub fn up_to_16(bytes: &[u8]) -> u64 {
    let (length, factor) = (bytes.len(), factor(bytes));
    if length >= 8 {
        let (a, b) = (word(bytes, 0).wrapping_add(K2), word_from_end(bytes, 8));
        let c = b.rotate_right(37).wrapping_mul(factor).wrapping_add(a);
        let d = a.rotate_right(25).wrapping_add(b).wrapping_mul(factor);
        return combine(c, d, factor);
    }
    if length >= 4 {
        let first = half_word(bytes, 0);
        return combine((length as u64).wrapping_add(first << 3), half_word(bytes, length - 4), factor);
    }
    let [.., last] = bytes else { return K2 };
    let y = u64::from(bytes[0]) + (u64::from(bytes[length >> 1]) << 8);
    let z = length as u64 + (u64::from(*last) << 2);
    fold(y.wrapping_mul(K2) ^ z.wrapping_mul(K0)).wrapping_mul(K2)
}

fn up_to_32(bytes: &[u8]) -> u64 {
    let factor = factor(bytes);
    let (a, b) = (word(bytes, 0).wrapping_mul(K1), word(bytes, 8));
    let (c, d) = (word_from_end(bytes, 8).wrapping_mul(factor), word_from_end(bytes, 16).wrapping_mul(K2));
    combine(
        a.wrapping_add(b).rotate_right(43).wrapping_add(c.rotate_right(30)).wrapping_add(d),
        a.wrapping_add(b.wrapping_add(K2).rotate_right(18)).wrapping_add(c),
        factor,
    )
}

fn up_to_64(bytes: &[u8]) -> u64 {
    let factor = factor(bytes);
    let (a, b) = (word(bytes, 0).wrapping_mul(K2), word(bytes, 8));
    let (c, d) = (word_from_end(bytes, 8).wrapping_mul(factor), word_from_end(bytes, 16).wrapping_mul(K2));
    let y = a.wrapping_add(b).rotate_right(43).wrapping_add(c.rotate_right(30)).wrapping_add(d);
    let z = combine(y, a.wrapping_add(b.wrapping_add(K2).rotate_right(18)).wrapping_add(c), factor);
    let (e, f) = (word(bytes, 16).wrapping_mul(factor), word(bytes, 24));
    let g = y.wrapping_add(word_from_end(bytes, 32)).wrapping_mul(factor);
    let h = z.wrapping_add(word_from_end(bytes, 24)).wrapping_mul(factor);
    combine(
        e.wrapping_add(f).rotate_right(43).wrapping_add(g.rotate_right(30)).wrapping_add(h),
        e.wrapping_add(f.wrapping_add(a).rotate_right(18)).wrapping_add(g),
        factor,
    )
}

/// Two words made of 32 bytes and two seeds.
pub fn weak(bytes: &[u8], a: u64, b: u64) -> [u64; 2] {
    let a = a.wrapping_add(word(bytes, 0));
    let b = b.wrapping_add(a).wrapping_add(word(bytes, 24)).rotate_right(21);
    let sum = a.wrapping_add(word(bytes, 8)).wrapping_add(word(bytes, 16));
    [sum.wrapping_add(word(bytes, 24)), b.wrapping_add(sum.rotate_right(44)).wrapping_add(a)]
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
    fn take(&mut self, bytes: &[u8], factor: u64, scale: u64) {
        let Self { x, y, z, v, w } = self;
        *x = x.wrapping_add(*y).wrapping_add(v[0]).wrapping_add(word(bytes, 8)).rotate_right(37).wrapping_mul(factor);
        *y = y.wrapping_add(v[1]).wrapping_add(word(bytes, 48)).rotate_right(42).wrapping_mul(factor);
        *x ^= w[1].wrapping_mul(scale);
        *y = y.wrapping_add(v[0].wrapping_mul(scale)).wrapping_add(word(bytes, 40));
        *z = z.wrapping_add(w[0]).rotate_right(33).wrapping_mul(factor);
        *v = weak(bytes, v[1].wrapping_mul(factor), x.wrapping_add(w[0]));
        *w = weak(&bytes[32..], z.wrapping_add(w[1]), y.wrapping_add(word(bytes, 16)));
        std::mem::swap(z, x);
    }
}

fn long(bytes: &[u8]) -> u64 {
    const SEED: u64 = 81;
    let y = SEED.wrapping_mul(K1).wrapping_add(113);
    let z = fold(y.wrapping_mul(K2).wrapping_add(113)).wrapping_mul(K2);
    let x = SEED.wrapping_mul(K2).wrapping_add(word(bytes, 0));
    let mut state = State { x, y, z, v: [0; 2], w: [0; 2] };
    let rounds = (bytes.len() - 1) / ROUND;
    bytes.chunks_exact(ROUND).take(rounds).for_each(|chunk| state.take(chunk, K1, 1));
    let factor = K1.wrapping_add((state.z & 0xFF) << 1);
    state.w[0] = state.w[0].wrapping_add((bytes.len() as u64 - 1) & 63);
    state.v[0] = state.v[0].wrapping_add(state.w[0]);
    state.w[0] = state.w[0].wrapping_add(state.v[0]);
    state.take(&bytes[bytes.len() - ROUND..], factor, 9);
    let State { x, y, z, v, w } = state;
    combine(
        combine(v[0], w[0], factor).wrapping_add(fold(y).wrapping_mul(K0)).wrapping_add(z),
        combine(v[1], w[1], factor).wrapping_add(x),
        factor,
    )
}
