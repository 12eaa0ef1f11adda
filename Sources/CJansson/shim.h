// SPDX-License-Identifier: Apache-2.0
#if !__has_include(<jansson.h>)
#error "jansson.h is missing; on Debian: apt install libjansson-dev"
#endif
#include <jansson.h>
