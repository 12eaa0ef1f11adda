// SPDX-License-Identifier: Apache-2.0
import CSystemd

/// A change of the name of a file that replaces no other file (renameat2(2), `RENAME_NOREPLACE`).
public enum ExclusiveRename {
  /// Renames a file within the directory of a descriptor.
  ///
  /// - Returns: 0, or -1 with the reason in `errno`: `EEXIST` for an existing file, `EINVAL` if the file system lacks the operation.
  public static func perform(in directory: Int32, from old: String, to new: String) -> Int32 {
    usher_rename_exclusively(directory, old, new)
  }
}
