extern "C" __global__ void __launch_bounds__(256) pack_truth(const u32* words, bool* truth, u32 count) {
    for (usize i = (usize)blockIdx.x * blockDim.x + threadIdx.x; i < count; i += (usize)gridDim.x * blockDim.x) {
        truth[i] = words[i] != 0u;
    }
}
