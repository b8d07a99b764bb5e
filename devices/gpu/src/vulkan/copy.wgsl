// Copies bytes from one place of a buffer to another, which may be in the same buffer; a thread writes a word at a time.
struct Scalars {
    // Where the bytes start in each binding.
    from_start: u32,
    to_start: u32,
    bytes: u32,
}
@group(0) @binding(0) var<storage, read_write> words: array<u32>;
@group(0) @binding(1) var<storage, read_write> written: array<u32>;
@group(0) @binding(2) var<uniform> scalars: Scalars;

fn byte_at(position: u32) -> u32 {
    return extractBits(words[position / 4u], position % 4u * 8u, 8u);
}

// Four bytes that are all copied, from `position` on.
fn whole(position: u32) -> u32 {
    let word = position / 4u;
    let shift = position % 4u * 8u;
    if shift == 0u {
        return words[word];
    }
    return (words[word] >> shift) | (words[word + 1u] << (32u - shift));
}

@compute @workgroup_size(256)
fn copy_bytes(@builtin(global_invocation_id) thread: vec3<u32>, @builtin(num_workgroups) blocks: vec3<u32>) {
    let end = scalars.to_start + scalars.bytes;
    let words_end = (end + 3u) / 4u;
    for (var at = scalars.to_start / 4u + thread.x; at < words_end; at += blocks.x * 256u) {
        let start = at * 4u;
        if start >= scalars.to_start && start + 4u <= end {
            written[at] = whole(start - scalars.to_start + scalars.from_start);
            continue;
        }
        var word = written[at];
        for (var lane = 0u; lane < 4u; lane++) {
            let position = start + lane;
            if position >= scalars.to_start && position < end {
                let byte = byte_at(position - scalars.to_start + scalars.from_start);
                word = insertBits(word, byte, lane * 8u, 8u);
            }
        }
        written[at] = word;
    }
}
