import Glibc

/// Why an operation on the event loop, a process or the service manager failed.
public struct SystemdError: Error, Hashable, Sendable, CustomStringConvertible {
  /// What was attempted, as `start /usr/bin/notes`.
  public let operation: String
  /// The positive `errno` value.
  public let code: Int32

  /// An error from a positive or negative `errno` value.
  public init(_ operation: String, code: Int32) {
    self.operation = operation
    self.code = abs(code)
  }

  /// What the kernel says, as `No such file or directory`.
  public var reason: String { String(cString: strerror(code)) }
  /// The sentence a person reads.
  public var description: String { "cannot \(operation): \(reason)" }
}

/// Throws when `result`, a return value of libsystemd, is a negative errno.
@discardableResult
func check(_ result: Int32, _ operation: @autoclosure () -> String) throws(SystemdError) -> Int32 {
  guard result >= 0 else { throw SystemdError(operation(), code: result) }
  return result
}
