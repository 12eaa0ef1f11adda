// SPDX-License-Identifier: Apache-2.0
import BrokerCore
import BrokerService
import DBus
import RemoteProtocol

/// The command that holds the connection to the machine, as the carrier of the answers of sign-ins.
@BrokerActor
final class CommandCarrier: SignInCarrier {
  private let send: @Sendable (RelayLine) -> Void
  /// The sign-ins whose answers are being carried, by the number of the request.
  private var carried: [UInt64: SignIn] = [:]
  private var lastNumber: UInt64 = 0

  /// Creates a carrier.
  ///
  /// - Parameter send: Sends a line to the command.
  init(send: @escaping @Sendable (RelayLine) -> Void) { self.send = send }

  /// Always true, because the relay exits with the command.
  var isConnected: Bool { true }

  func obstacle(to request: RemoteRequest, at port: UInt16) -> BusError? { nil }

  func expect(_ signIn: SignIn, for id: String) {}

  func carry(_ request: CarriedRequest, of signIn: SignIn) {
    lastNumber += 1
    carried[lastNumber] = signIn
    send(.carry(lastNumber, request))
  }

  func forget(_ signIn: SignIn) { carried = carried.filter { $0.value !== signIn } }

  /// Receives a line of the command.
  func receive(_ line: RelayLine) {
    switch line {
    case .carried(let number, let status):
      carried.removeValue(forKey: number)?.apply(.carried(status: status))
    case .failed(let number): carried.removeValue(forKey: number)?.apply(.notCarried)
    case .ready, .carry: break
    }
  }
}
