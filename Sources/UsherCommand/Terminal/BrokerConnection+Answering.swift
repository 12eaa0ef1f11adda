// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import BusInterfaces
import DBus
import Glibc
import Triggers

extension BrokerConnection {
  /// Returns the answer of a daemon; on failure prints the error and throws the exit code.
  ///
  /// - Parameters:
  ///   - failure: the beginning of the error message if the daemon cannot be reached, such as “cannot read the history”.
  ///   - service: the daemon.
  ///   - json: `true` to print the error as an object with `error` s and `message` s.
  static func answer<Answer>(
    onFailure failure: String, of service: Service = .broker, json: Bool,
    _ call: (BlockingBusConnection) throws(BusError) -> Answer
  ) throws(ExitCode) -> Answer {
    do throws(Failure) {
      return try BrokerConnection(to: service).ask(call)
    } catch {
      let (error, status) = error.reported(onFailure: failure, of: service)
      report(error, json: json)
      throw ExitCode(status)
    }
  }

  private static func report(_ error: BusError, json: Bool) {
    if json {
      Console.emit(
        JSONText.line(["error": .string(error.name.rawValue), "message": .string(error.message)]))
    } else {
      Console.warn(error.message)
      Console.suggest(error.brokerError == .needsBus ? [.doctor] : [])
    }
  }
}

extension BrokerConnection.Failure {
  /// Returns the error for the user, and the exit status.
  ///
  /// - Parameters:
  ///   - failure: the beginning of the error message if the daemon cannot be reached, such as “cannot read the history”.
  ///   - service: the daemon.
  func reported(
    onFailure failure: String, of service: BrokerConnection.Service = .broker
  ) -> (error: BusError, exitStatus: Int32) {
    switch self {
    case .unreachable(let reason):
      let message = "\(failure), because \(service.title) cannot be reached: \(reason)"
      return (BusError(.needsBus, message), BrokerErrorName.needsBus.exitStatus)
    case .answered(let error):
      switch error.details["error-kind"]?.string.flatMap(DownloadFailure.Kind.init) {
      case .exists, .disk: return (error, EX_CANTCREAT)
      default: break
      }
      switch error.brokerError {
      case .invalidRequest, .noHandler: return (error, error.brokerError?.exitStatus ?? 1)
      default: return (error, 1)
      }
    }
  }
}
