// Prints the type of each listed function, and of each field of the structs of devices, as the compiler resolves it.
// HEADERS and LIST as in layout.c.
#include <cstdio>
#include <string>

#include HEADERS

template <class Function>
std::string signature() {
  std::string text = __PRETTY_FUNCTION__;
  const auto start = text.find("Function = ") + 11;
  return text.substr(start, text.find_first_of(";]", start) - start);
}

static void print(const char* name, const std::string& type) { std::printf("function %s: %s\n", name, type.c_str()); }

static void print_field(const std::string& name, const std::string& type) {
  if (name.compare(0, 3, "SP_") == 0 || name.compare(0, 3, "SE_") == 0) {
    std::printf("field %s: %s\n", name.c_str(), type.c_str());
  }
}

#define STRUCT(type)
#define FIELD(type, member) print_field(#type "." #member, signature<decltype(type::member)>());
#define VALUE(value)
#define FUNCTION(function) print(#function, signature<decltype(&function)>());

int main() {
#include LIST
  // TensorFlow overloads this one for C++.
  using NewTensorHandle = TFE_TensorHandle* (*)(const TF_Tensor*, TF_Status*);
  (void)sizeof(static_cast<NewTensorHandle>(&TFE_NewTensorHandle));
  print("TFE_NewTensorHandle", signature<NewTensorHandle>());
}
