// SPDX-License-Identifier: Apache-2.0
import Glibc

/// A Boolean value that indicates whether the programs have Thread Sanitizer, with which none starts under a limit of the size of files.
public let hasThreadSanitizer = getenv("TSAN_OPTIONS") != nil
