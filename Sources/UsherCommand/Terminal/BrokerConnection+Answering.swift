import ArgumentParser
import BusInterfaces
import DBus

extension BrokerConnection {
  /// What the broker answers; where it does not, the person is told and the command ends with its exit code.
  ///
  /// - Parameters:
  ///   - matter: what the answer was to be about, as a sentence that goes on with “, and” and the reason.
  ///   - json: whether a program is told, by an object with `error` s and `message` s.
  static func answer<Answer>(
    about matter: String, json: Bool, _ call: (BlockingBusConnection) throws(BusError) -> Answer
  ) throws(ExitCode) -> Answer {
    do throws(Failure) {
      return try BrokerConnection().ask(call)
    } catch {
      switch error {
      case .unreachable(let reason):
        tell(BusError(.needsBus, "\(matter), and \(reason)"), json: json)
        throw ExitCode(BrokerErrorName.needsBus.exitCode)
      case .answered(let error):
        tell(error, json: json)
        throw error.brokerError == .invalidRequest
          ? ExitCode(BrokerErrorName.invalidRequest.exitCode) : .failure
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
