/* Eager calls beyond eager/c_api.h. */
#ifndef OPLINK_C_EAGER_C_API_EXPERIMENTAL_H_
#define OPLINK_C_EAGER_C_API_EXPERIMENTAL_H_

#include "oplink/c/c_api.h"
#include "oplink/c/eager/c_api.h"
#include "oplink/c/eager/monitoring.h"

#endif
