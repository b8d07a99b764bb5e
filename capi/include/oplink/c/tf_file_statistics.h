/* What is known of a file. */
#ifndef OPLINK_C_TF_FILE_STATISTICS_H_
#define OPLINK_C_TF_FILE_STATISTICS_H_

#include <stdbool.h>
#include <stdint.h>

typedef struct TF_FileStatistics {
  int64_t length;     /* bytes */
  int64_t mtime_nsec; /* time of the last change, in nanoseconds since the epoch */
  bool is_directory;
} TF_FileStatistics;

#endif
