// SPDX-License-Identifier: Apache-2.0
import BrokerCore
import BrokerService
import BusInterfaces
import DBus
import Logging
import RemoteProtocol
import Systemd

/// The sign-ins of programs on a machine that wait for their answers.
@BrokerActor
final class SignIns {
  private let machine: RemoteMachine
  private let log: Logger
  private let send: @Sendable (RelayLine) -> Void
  private var signIns: [SignIn] = []
  /// The sign-ins whose answers are being carried, by the number of the request.
  private var carried: [UInt64: SignIn] = [:]
  private var lastNumber: UInt64 = 0
  private let pause: RefusalPause

  /// - Parameters:
  ///   - pause: The pause after a question that the user has not allowed.
  ///   - send: Sends a line to the command that holds the connection to the machine.
  init(
    of machine: RemoteMachine, pause: RefusalPause, log: Logger,
    send: @escaping @Sendable (RelayLine) -> Void
  ) {
    self.machine = machine
    self.pause = pause
    self.log = log
    self.send = send
  }

  /// A Boolean value that indicates whether a sign-in waits for an answer that can be carried.
  var isWaiting: Bool { signIns.contains { $0.isActive && !$0.isAbandoned } }

  /// Returns the error for a sign-in at a port that could not be carried out even if the user allowed it; `nil` if there is no obstacle.
  func obstacle(at port: UInt16, by way: AnswerWay) -> BusError? {
    if case .direct = way { return pause.obstacle(for: machine) }
    return pause.obstacle(for: machine) ?? obstacle(at: port)
  }

  /// Waits for the answer of a sign-in, which replaces an earlier one at its port.
  func expect(_ redirect: ExpectedRedirect, for requestID: String, by way: AnswerWay) throws(BusError) {
    // The program waits at the port itself.
    if case .direct = way { return }
    for signIn in signIns where signIn.redirect.port == redirect.port { signIn.apply(.end(.replaced)) }
    if let obstacle = obstacle(at: redirect.port) { throw obstacle }
    let active = signIns.filter(\.isActive)
    if active.count >= RelayLimits.signIns { active.first(where: \.isAbandoned)?.apply(.end(.replaced)) }
    let signIn = SignIn(
      redirect, requestID: requestID, of: machine, log: log,
      carry: { [weak self] signIn, request in
        if case .client(let client, _) = way {
          client.carry(request, of: signIn)
        } else {
          self?.carry(request, of: signIn)
        }
      },
      released: { [weak self] signIn in
        if case .client(let client, _) = way { client.forget(signIn) }
        self?.forget(signIn)
      })
    do throws(SystemdError) { try signIn.start() } catch {
      throw error.isPortInUse
        ? Self.portInUse(redirect.port) : BusError(.denied, "\(error), so that the sign-in has no effect")
    }
    signIns.append(signIn)
    if case .client(let client, let id) = way { client.expectAnswer(of: signIn, for: id) }
  }

  /// Ends the sign-in of a request that has failed.
  func cancel(_ requestID: String) {
    for signIn in signIns where signIn.requestID == requestID { signIn.apply(.end(.cancelled)) }
  }

  /// Receives a line of the command that holds the connection to the machine.
  func receive(_ line: RelayLine) {
    switch line {
    case .carried(let number, let status):
      carried.removeValue(forKey: number)?.apply(.carried(status: status))
    case .failed(let number): carried.removeValue(forKey: number)?.apply(.notCarried)
    case .ready, .carry: break
    }
  }

  /// Ends all sign-ins.
  func stop() {
    for signIn in signIns { signIn.apply(.end(.stopped)) }
  }

  private func obstacle(at port: UInt16) -> BusError? {
    let active = signIns.filter(\.isActive)
    // A further sign-in at the port replaces the earlier one.
    guard !active.contains(where: { $0.redirect.port == port }) else { return nil }
    // One whose client is gone gives way.
    let count = active.count { !$0.isAbandoned }
    guard count < RelayLimits.signIns else {
      return BusError(
        .tooMany,
        "\(count) sign-ins of \(machine.shortTitle) wait for their answers; end one of them, or wait until their time has passed"
      )
    }
    return LoopbackListener.isFree(port: port) ? nil : Self.portInUse(port)
  }

  private static func portInUse(_ port: UInt16) -> BusError {
    BusError(
      .denied,
      "the port \(port), which the sign-in needs, is in use on the desktop, by a program or by a sign-in of another machine; "
        + "end that, or start the sign-in again with another port")
  }

  private func carry(_ request: CarriedRequest, of signIn: SignIn) {
    lastNumber += 1
    carried[lastNumber] = signIn
    send(.carry(lastNumber, request))
  }

  private func forget(_ signIn: SignIn) {
    signIns.removeAll { $0 === signIn }
    carried = carried.filter { $0.value !== signIn }
  }
}
