// SPDX-License-Identifier: Apache-2.0
import BrokerCore
import BrokerService
import RemoteProtocol

/// The limits of a relay, which serves one machine.
enum RelayLimits {
  /// The maximum number of connections of clients; a further one is rejected.
  static let connections = 64
  /// The maximum number of requests of one connection that are in progress.
  static let requests = 32
  /// The maximum number of URLs in one request; the broker would reject more than these of a sandboxed caller at once.
  static let urls = 30
  /// The time in which a client must send its first request.
  static let silence = Duration.seconds(30)
  /// The time that a client which is rejected has to read the reason, before it is disconnected.
  static let rejection = Duration.seconds(5)
  /// The time that the broker has for its reply beyond the timeout of the request, because its own error is more precise.
  static let grace = Duration.seconds(5)
  /// The maximum number of registrations that the machine may request within `registrationInterval`: twice the number of schemes that it has.
  static let registrations = 2 * SchemeRegistration.maximumCount
  /// The time in which registrations count together.
  static let registrationInterval = Duration.seconds(10)
  /// The maximum number of sign-ins of the machine that wait for their answers.
  static let signIns = CarriedRequest.maximumCount
  /// The time for which a sign-in waits for its answer.
  static var signIn: Duration { TestFaults.signIn ?? .seconds(600) }
  /// The maximum number of connections to the port of one sign-in; a further one is closed.
  static let signInClients = 16
  /// The time in which such a connection must send its request, and the time that it has to read the response.
  static let (requestHead, response) = (Duration.seconds(10), Duration.seconds(5))
  /// The time in which the program on the machine must answer, beyond the limit of the command that carries the request.
  static let carrying = Duration.seconds(40)
  /// The time for which the client of a sign-in stays at the most to carry its answer.
  static var stay: Duration { signIn + carrying }
  /// The timeout of a sign-in or a registration, if the client states none: the time that the user has to answer the prompt.
  static let userAnswer = Duration.seconds(120)
  /// The time between messages to a client that waits for the user, because a client expects one within its timeout.
  static let reminder = Duration.seconds(10)
}
