// SPDX-License-Identifier: Apache-2.0
import Glibc

/// A file descriptor that is closed when its last reference is released.
public final class UnixFD: Hashable, Sendable {
  /// The descriptor, which is open as long as this object exists.
  public let rawValue: Int32

  /// Takes ownership of an open descriptor.
  public init(owning descriptor: Int32) { rawValue = descriptor }

  /// Duplicates an open descriptor, close-on-exec; `nil` if the process has reached its limit.
  public init?(duplicating descriptor: Int32) {
    let copy = duplicateDescriptor(descriptor)
    guard copy >= 0 else { return nil }
    rawValue = copy
  }

  deinit { close(rawValue) }

  /// Returns whether both are the same object.
  public static func == (left: UnixFD, right: UnixFD) -> Bool { left === right }
  /// Hashes the identity of the object.
  public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

/// Returns a close-on-exec duplicate, or a negative number on failure.
func duplicateDescriptor(_ descriptor: Int32) -> Int32 { fcntl(descriptor, F_DUPFD_CLOEXEC, 3) }
