import ArgumentParser
import BusInterfaces
import DBus

extension BrokerLink {
  /// What the broker answers; where it does not, the person is told and the command ends with its exit code.
  ///
  /// - Parameter matter: what the answer was to be about, as a sentence that goes on with “, and” and the reason.
  static func answer<Answer>(
    about matter: String, _ call: (BlockingBusConnection) throws(BusError) -> Answer
  ) throws(ExitCode) -> Answer {
    do throws(Failure) {
      return try BrokerLink().ask(call)
    } catch {
      switch error {
      case .unreachable(let reason):
        Console.warn("\(matter), and \(reason)")
        throw ExitCode(BrokerErrorName.needsBus.exitCode)
      case .answered(let error):
        Console.warn(error.message)
        throw error.brokerError == .invalidRequest
          ? ExitCode(BrokerErrorName.invalidRequest.exitCode) : .failure
      }
    }
  }
}
