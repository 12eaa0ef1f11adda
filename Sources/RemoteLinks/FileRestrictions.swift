// SPDX-License-Identifier: Apache-2.0
import CConfinement
import Glibc

/// The files that a relay may use, and its connections, as rules of the kernel (landlock(7)).
enum FileRestrictions {
  /// The rights of landlock(7) to files.
  private enum Right {
    static let (writeFile, readFile, readDirectory, removeFile, makeSocket) =
      (UInt64(1) << 1, UInt64(1) << 2, UInt64(1) << 3, UInt64(1) << 5, UInt64(1) << 9)
  }

  /// The files and directories that are read: libraries that the C library loads later, their configuration, and facts of the system.
  private static let readable = [
    "/usr", "/lib", "/lib32", "/lib64", "/etc", "/proc/self", "/proc/sys/kernel", "/sys/devices/system/cpu",
  ]
  private static let readableDevices = ["/dev/null", "/dev/urandom"]

  /// Returns the rights to files that a version of Landlock can deny.
  private static func rights(in version: Int32) -> UInt64 {
    let count: UInt64 =
      switch version {
      case 1: 13
      case 2: 14
      case 3, 4: 15
      default: 16
      }
    return (UInt64(1) << count) - 1
  }

  /// Restricts this thread and those that it will start; returns the error of the first step that failed, 0 if none did.
  ///
  /// - Parameter directory: The directory of the socket of the relay, in which it may create and remove sockets.
  static func apply(sockets directory: String) -> Int32 {
    let version = usher_landlock_version()
    guard version > 0 else { return ENOSYS }
    // Connections by TCP to anything (Linux 6.7), and signals to other programs (Linux 6.12).
    let rules = usher_landlock_create(
      rights(in: version), version >= 4 ? 1 << 1 : 0, version >= 6 ? 1 << 1 : 0)
    guard rules >= 0 else { return errno }
    defer { close(rules) }
    for path in readable { usher_landlock_allow(rules, path, Right.readFile | Right.readDirectory) }
    for path in readableDevices { usher_landlock_allow(rules, path, Right.readFile) }
    guard usher_landlock_allow(rules, directory, Right.makeSocket | Right.removeFile) == 0,
      usher_landlock_restrict(rules) == 0
    else { return errno }
    return 0
  }
}
