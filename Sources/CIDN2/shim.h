// SPDX-License-Identifier: Apache-2.0
#if !__has_include(<idn2.h>)
#error "idn2.h is missing; on Debian: apt install libidn2-dev"
#endif
#include <idn2.h>
