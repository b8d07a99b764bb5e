// The C functions of PyTorch that `hosts/torch` calls have the types that it calls them by: compiled against the headers
// in the wheel, and not run.
// Declarations of functions for GPUs.
#define USE_CUDA
#include <torch/csrc/inductor/aoti_torch/c/shim.h>
#include <torch/csrc/stable/c/shim.h>

#include <type_traits>

#define HAS(FUNCTION, ...) static_assert(std::is_same_v<decltype(&FUNCTION), __VA_ARGS__>, #FUNCTION)
using Error = int32_t;
using Tensor = AtenTensorOpaque*;
using Library = TorchLibraryOpaque*;
using List = StableListOpaque*;
using Text = StringOpaque*;

static_assert(std::is_same_v<StableIValue, uint64_t>);
HAS(aoti_torch_library_init_fragment, Error (*)(const char*, const char*, uint32_t, Library*));
HAS(aoti_torch_library_init_impl, Error (*)(const char*, const char*, const char*, uint32_t, Library*));
HAS(aoti_torch_library_def, Error (*)(Library, const char*));
HAS(torch_library_impl, Error (*)(Library, const char*, void (*)(uint64_t*, uint64_t, uint64_t), uint64_t));
HAS(torch_library_def_with_tags, Error (*)(Library, const char*, const int32_t*, int32_t));
HAS(torch_tag_nondeterministic_seeded, int32_t (*)());
HAS(aoti_torch_delete_tensor_object, Error (*)(Tensor));
HAS(aoti_torch_get_data_ptr, Error (*)(Tensor, void**));
HAS(aoti_torch_get_dim, Error (*)(Tensor, int64_t*));
HAS(aoti_torch_get_sizes, Error (*)(Tensor, int64_t**));
HAS(aoti_torch_get_strides, Error (*)(Tensor, int64_t**));
HAS(aoti_torch_get_dtype, Error (*)(Tensor, int32_t*));
HAS(aoti_torch_get_device_type, Error (*)(Tensor, int32_t*));
HAS(aoti_torch_get_layout, Error (*)(Tensor, int32_t*));
HAS(aoti_torch_empty_strided, Error (*)(int64_t, const int64_t*, const int64_t*, int32_t, int32_t, int32_t, Tensor*));
HAS(aoti_torch_get_device_index, Error (*)(Tensor, int32_t*));
HAS(aoti_torch_copy_, Error (*)(Tensor, Tensor, int32_t));
HAS(aoti_torch_get_current_cuda_stream, Error (*)(int32_t, void**));
HAS(torch_new_list_reserve_size, Error (*)(size_t, List*));
HAS(torch_list_size, Error (*)(List, size_t*));
HAS(torch_list_get_item, Error (*)(List, size_t, uint64_t*));
HAS(torch_list_push_back, Error (*)(List, uint64_t));
HAS(torch_delete_list, Error (*)(List));
HAS(torch_string_length, Error (*)(Text, size_t*));
HAS(torch_string_c_str, Error (*)(Text, const char**));
HAS(torch_delete_string, Error (*)(Text));
HAS(torch_delete_stable_ivalue, Error (*)(uint64_t*));
HAS(torch_parallel_for, Error (*)(int64_t, int64_t, int64_t, void (*)(int64_t, int64_t, void*), void*));
HAS(torch_get_num_threads, Error (*)(uint32_t*));
HAS(aoti_torch_check, void (*)(bool, const char*, const char*, uint32_t, const char*));
