// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import BusInterfaces
import DBus

extension BrokerConnection {
  /// Returns the broker's answer; on failure prints the error and throws the exit code.
  ///
  /// - Parameters:
  ///   - failure: the beginning of the error message if the broker cannot be reached, such as “cannot read the history”.
  ///   - json: `true` to print the error as an object with `error` s and `message` s.
  static func answer<Answer>(
    onFailure failure: String, json: Bool, _ call: (BlockingBusConnection) throws(BusError) -> Answer
  ) throws(ExitCode) -> Answer {
    do throws(Failure) {
      return try BrokerConnection().ask(call)
    } catch {
      switch error {
      case .unreachable(let reason):
        tell(BusError(.needsBus, "\(failure), because the broker cannot be reached: \(reason)"), json: json)
        throw ExitCode(BrokerErrorName.needsBus.exitStatus)
      case .answered(let error):
        tell(error, json: json)
        throw error.brokerError == .invalidRequest
          ? ExitCode(BrokerErrorName.invalidRequest.exitStatus) : .failure
      }
    }
  }

  private static func tell(_ error: BusError, json: Bool) {
    if json {
      Console.emit(
        JSONText.line(["error": .string(error.name.rawValue), "message": .string(error.message)]))
    } else {
      Console.warn(error.message)
      Console.suggest(error.brokerError == .needsBus ? [.doctor] : [])
    }
  }
}
