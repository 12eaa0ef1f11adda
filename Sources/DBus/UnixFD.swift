import Glibc

/// A file descriptor that is closed when its last holder lets go of it.
public final class UnixFD: Hashable, Sendable {
  /// The descriptor, open as long as this object lives.
  public let rawValue: Int32

  /// Takes over an open descriptor.
  public init(owning descriptor: Int32) { rawValue = descriptor }

  /// Duplicates an open descriptor, close-on-exec; `nil` when the process has no more to give.
  public init?(duplicating descriptor: Int32) {
    let copy = duplicateDescriptor(descriptor)
    guard copy >= 0 else { return nil }
    rawValue = copy
  }

  deinit { close(rawValue) }

  /// The same object.
  public static func == (left: UnixFD, right: UnixFD) -> Bool { left === right }
  /// Hashes the object.
  public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

/// A close-on-exec duplicate, or a negative number.
func duplicateDescriptor(_ descriptor: Int32) -> Int32 { fcntl(descriptor, F_DUPFD_CLOEXEC, 3) }
