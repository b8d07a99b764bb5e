//! SipHash-2-4, a keyed hash of bytes (Aumasson and Bernstein, "SipHash: a fast short-input PRF", 2012).

/// "somepseudorandomlygeneratedbytes", what the state starts from.
const START: [u64; 4] = [0x736F_6D65_7073_6575, 0x646F_7261_6E64_6F6D, 0x6C79_6765_6E65_7261, 0x7465_6462_7974_6573];

/// The hash of `bytes` under a key.
pub(super) fn sip_hash(key: [u64; 2], bytes: &[u8]) -> u64 {
    let mut state = START;
    state.iter_mut().zip(key.into_iter().cycle()).for_each(|(word, key)| *word ^= key);
    let (words, rest) = bytes.as_chunks();
    let mut last = [0; 8];
    last[..rest.len()].copy_from_slice(rest);
    last[7] = bytes.len() as u8;
    for &word in words.iter().chain([&last]) {
        let word = u64::from_le_bytes(word);
        state[3] ^= word;
        (0..2).for_each(|_| round(&mut state));
        state[0] ^= word;
    }
    state[2] ^= 0xFF;
    (0..4).for_each(|_| round(&mut state));
    state.into_iter().fold(0, |hash, word| hash ^ word)
}

fn round(state: &mut [u64; 4]) {
    let [a, b, c, d] = state;
    *a = a.wrapping_add(*b);
    *c = c.wrapping_add(*d);
    *b = b.rotate_left(13) ^ *a;
    *d = d.rotate_left(16) ^ *c;
    *a = a.rotate_left(32);
    *c = c.wrapping_add(*b);
    *a = a.wrapping_add(*d);
    *b = b.rotate_left(17) ^ *c;
    *d = d.rotate_left(21) ^ *a;
    *c = c.rotate_left(32);
}

#[cfg(test)]
mod tests {
    use super::*;

    /// From the paper's appendix A.
    #[test]
    fn the_published_vector() {
        let key = [0x0706_0504_0302_0100, 0x0F0E_0D0C_0B0A_0908];
        let bytes: Vec<u8> = (0..15).collect();
        assert_eq!(sip_hash(key, &bytes), 0xA129_CA61_49BE_45E5);
    }
}
