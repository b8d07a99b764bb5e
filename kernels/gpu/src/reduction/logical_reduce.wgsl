@group(0) @binding(0) var<storage, read> words: array<u32>;
@group(0) @binding(1) var<storage, read_write> truth: array<u32>;
struct Scalars {
    count: u32,
}
@group(0) @binding(2) var<uniform> scalars: Scalars;

@compute @workgroup_size(256, 1, 1)
fn pack_truth(@builtin(global_invocation_id) thread: vec3<u32>, @builtin(num_workgroups) blocks: vec3<u32>) {
    let count = scalars.count;
    for (var i = thread.x; i * 4u < count; i += blocks.x * 256u) {
        var packed = 0u;
        for (var k = 0u; k < 4u && i * 4u + k < count; k++) {
            packed |= min(words[i * 4u + k], 1u) << (k * 8u);
        }
        truth[i] = packed;
    }
}
