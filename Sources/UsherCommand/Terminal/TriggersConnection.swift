// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import BusInterfaces
import DBus

/// A connection to the daemon for notifications, downloads, locations and Bluetooth, which the bus starts if it is not running.
struct TriggersConnection {
  private let bus: BlockingBusConnection

  /// Returns the answers of the daemon; on failure prints the error and throws the exit code.
  ///
  /// - Parameters:
  ///   - act: The action of the user in the error message, such as “list the notifications”.
  ///   - json: `true` to print the error as an object.
  static func ask<Answer>(
    to act: String, json: Bool, _ calls: (TriggersConnection) throws(BusError) -> Answer
  ) throws(ExitCode) -> Answer {
    try BrokerConnection.answer(onFailure: "cannot \(act)", of: .triggers, json: json) {
      bus throws(BusError) in
      try calls(TriggersConnection(bus: bus))
    }
  }

  /// Changes something that the daemon stores, like `ask`; on success prints only an empty object, if `json` is `true`.
  static func change(
    to act: String, json: Bool, _ calls: (TriggersConnection) throws(BusError) -> Void
  ) throws(ExitCode) {
    try ask(to: act, json: json, calls)
    if json { Console.emit("{}") }
  }

  /// Calls a method of the daemon.
  func call<each Input: BusConvertible, each Output: BusConvertible>(
    _ method: BusMethod<Arguments<repeat each Input>, Arguments<repeat each Output>>,
    _ input: repeat each Input, timeout: Duration? = BusConnection.defaultTimeout
  ) throws(BusError) -> (repeat each Output) {
    try bus.call(method, at: TriggersInterface.triggers, repeat each input, timeout: timeout)
  }
}
