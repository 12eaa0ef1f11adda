// SPDX-License-Identifier: Apache-2.0
#if !__has_include(<openssl/evp.h>)
#error "openssl/evp.h is missing; on Debian: apt install libssl-dev"
#endif
#include <openssl/bn.h>
#include <openssl/core_names.h>
#include <openssl/ec.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>
#include <openssl/param_build.h>
#include <openssl/rand.h>

// These are expressions of several macros, which Swift does not import.
static const int usher_selection_of_pair = EVP_PKEY_KEYPAIR;
static const int usher_selection_of_public_key = EVP_PKEY_PUBLIC_KEY;

// Parameters refer to their names, so that these must be constant pointers, which the strings of Swift are not.
static const char *const usher_parameter_of_group = OSSL_PKEY_PARAM_GROUP_NAME;
static const char *const usher_parameter_of_public_key = OSSL_PKEY_PARAM_PUB_KEY;
static const char *const usher_parameter_of_private_key = OSSL_PKEY_PARAM_PRIV_KEY;
