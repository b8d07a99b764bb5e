//! GPUs: one device type, `GPU`, served by CUDA or by Vulkan, whichever is present when the program starts.
