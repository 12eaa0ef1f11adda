// SPDX-License-Identifier: Apache-2.0
import CSystemd

/// The memory of this process that it has freed, and that the allocator keeps for later use.
public enum FreeMemory {
  /// Returns all of it to the system, as after work that needed much more memory than its result (malloc_trim(3)).
  public static func release() { usher_release_free_memory() }
}
