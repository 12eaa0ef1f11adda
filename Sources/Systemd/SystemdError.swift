// SPDX-License-Identifier: Apache-2.0
import Glibc

/// An error of the event loop, a process or the service manager.
public struct SystemdError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The attempted operation, such as `start /usr/bin/notes`.
  public let operation: String
  /// The positive `errno` value.
  public let code: Int32

  /// Creates an error from a positive or negative `errno` value.
  public init(_ operation: String, code: Int32) {
    self.operation = operation
    self.code = abs(code)
  }

  /// The kernel's message, such as `No such file or directory`.
  public var reason: String { String(cString: strerror(code)) }
  /// The error as a sentence for users.
  public var description: String { "cannot \(operation): \(reason)" }
}

/// Throws if `result`, a return value of libsystemd, is a negative errno.
@discardableResult
func check(_ result: Int32, _ operation: @autoclosure () -> String) throws(SystemdError) -> Int32 {
  guard result >= 0 else { throw SystemdError(operation(), code: result) }
  return result
}
