/* Does random operations on a few strings of every form and prints what each leaves. Compiles with either set of headers
 * (HEADERS as in layout.c), so that two runs can be compared. Capacities are not compared: no host depends on them. */
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include HEADERS

enum { COUNT = 4, ROUNDS = 20000 };

static uint64_t state = 88172645463325252u;

static size_t below(size_t limit) {
  state ^= state << 13;
  state ^= state >> 7;
  state ^= state << 17;
  return (size_t)(state % limit);
}

/* Lengths around the border between small and large, and some beyond. */
static size_t some_length(void) { return below(3) == 0 ? below(200) : below(30); }

static int counts = 0;
static void take(TStringOwnerCApi* self) { (void)self; counts++; }
static bool give(TStringOwnerCApi* self) { (void)self; return --counts == 0; }

/* Strings, and bytes that those at an offset point to. */
static struct { TF_TString strings[COUNT]; char bytes[256]; } block;

static void make_offset(TF_TString* s) {
  size_t start = below(100);
  TF_TString_Dealloc(s);
  s->u.offset.size = (uint32_t)(below(100) << 2) | TF_TSTR_OFFSET;
  s->u.offset.offset = (uint32_t)(block.bytes + start - (char*)s);
}

static void step(TF_TString* a, TF_TString* b, TStringOwnerCApi* owner) {
  static char text[256];
  size_t length = some_length();
  memset(text, (int)('a' + below(26)), length);
  switch (below(12)) {
    case 0: TF_TString_Copy(a, text, length); break;
    case 1: TF_TString_AppendN(a, text, length); break;
    case 2: TF_TString_Resize(a, length, 'r'); break;
    case 3: TF_TString_AssignView(a, block.bytes, length); break;
    case 4: TF_TString_AssignViewWithOwner(a, block.bytes, length, owner); break;
    case 5: make_offset(a); break;
    case 6: TF_TString_Assign(a, b); break;
    case 7: TF_TString_Move(a, b); break;
    case 8: TF_TString_Reserve(a, length); break;
    case 9: TF_TString_ReserveAmortized(a, length); break;
    case 10: if (a != b) TF_TString_Append(a, b); break;
    default:
      if (below(2) == 0) TF_TString_Dealloc(a);
      else if (TF_TString_GetSize(a) > 0) TF_TString_GetMutableDataPointer(a)[0] = 'm';
      break;
  }
  if (TF_TString_GetSize(a) > 4000) TF_TString_Dealloc(a);
}

int main(void) {
  TStringOwnerCApi owner = {take, give, NULL};
  for (size_t i = 0; i < sizeof block.bytes; i++) block.bytes[i] = (char)('A' + i % 26);
  for (int i = 0; i < COUNT; i++) TF_TString_Init(&block.strings[i]);
  for (int round = 0; round < ROUNDS; round++) {
    step(&block.strings[below(COUNT)], &block.strings[below(COUNT)], &owner);
    printf("%d:", round);
    for (int i = 0; i < COUNT; i++) {
      const TF_TString* s = &block.strings[i];
      uint64_t hash = 14695981039346656037u;
      for (size_t b = 0; b < TF_TString_GetSize(s); b++) {
        hash = (hash ^ (uint8_t)TF_TString_GetDataPointer(s)[b]) * 1099511628211u;
      }
      printf(" %d/%zu/%llx", TF_TString_GetType(s), TF_TString_GetSize(s), (unsigned long long)hash);
    }
    printf(" held %d\n", counts);
  }
  for (int i = 0; i < COUNT; i++) TF_TString_Dealloc(&block.strings[i]);
  return counts;
}
