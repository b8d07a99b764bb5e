/* Prints size, alignment and offsets of the listed structs, and the listed values. Compiles as C and as C++, with either
 * set of headers: HEADERS names a file that includes them, LIST the list. */
#include <stddef.h>
#include <stdio.h>

#include HEADERS

#ifdef __cplusplus
#define ALIGNMENT(type) alignof(type)
#else
#define ALIGNMENT(type) _Alignof(type)
#endif

#define STRUCT(type) printf("struct %s %zu %zu\n", #type, sizeof(type), ALIGNMENT(type));
#define FIELD(type, member) \
  printf("field %s.%s %zu %zu\n", #type, #member, offsetof(type, member), sizeof(((type*)0)->member));
#define VALUE(value) printf("value %s %lld\n", #value, (long long)(value));
#define FUNCTION(function)

int main(void) {
#include LIST
  printf("struct TF_Bool %zu %zu\n", sizeof(TF_Bool), ALIGNMENT(TF_Bool));
  printf("struct TF_Code %zu %zu\n", sizeof(TF_Code), ALIGNMENT(TF_Code));
  printf("struct TF_DataType %zu %zu\n", sizeof(TF_DataType), ALIGNMENT(TF_DataType));
  printf("struct TF_AttrType %zu %zu\n", sizeof(TF_AttrType), ALIGNMENT(TF_AttrType));
  return 0;
}
