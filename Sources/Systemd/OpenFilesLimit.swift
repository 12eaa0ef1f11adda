// SPDX-License-Identifier: Apache-2.0
import CSystemd
import Synchronization

/// The limit on the open files of this process.
public enum OpenFilesLimit {
  private static let former = Atomic<UInt64>(0)

  /// The soft limit before it was raised, which started programs get; 0 if it was not raised.
  static var forPrograms: UInt64 { former.load(ordering: .relaxed) }

  /// Raises the soft limit to the hard one, so that callers cannot use up the descriptors of this process.
  ///
  /// A service has 1,024 by default, for programs that use select(2), which fails with higher descriptors. Programs that this process
  /// starts therefore have the former limit.
  public static func raise() {
    let before = usher_raise_open_files()
    if before != 0 { former.store(before, ordering: .relaxed) }
  }
}
