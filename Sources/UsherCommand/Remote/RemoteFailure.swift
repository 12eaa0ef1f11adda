// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import BusInterfaces
import DBus

/// The reason why a machine or a container cannot be connected or prepared, as a sentence for the user.
struct RemoteFailure: Error, CustomStringConvertible {
  let description: String
  /// A Boolean value that indicates whether no tool has the container.
  var isMissingContainer = false
  /// The reason that ssh has given for an attempt to connect without asking the user; `nil` if it has given none.
  var refusal: SSHClient.Refusal?

  /// Returns the value of `body`, or prints its failure and exits with 1.
  ///
  /// - Parameter json: `true` to print the failure as an object.
  static func reported<Value>(
    json: Bool = false, _ body: () throws(RemoteFailure) -> Value
  ) throws -> Value {
    do throws(RemoteFailure) { return try body() } catch {
      if json {
        Console.emit(
          JSONText.line(["error": .string("cannot-run"), "message": .string(error.description)]))
      } else {
        Console.warn("\(error)")
      }
      throw ExitCode.failure
    }
  }
}
