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
  private var signIns: [SignIn] = []

  init(of machine: RemoteMachine, log: Logger) {
    self.machine = machine
    self.log = log
  }

  /// A Boolean value that indicates whether a sign-in waits for an answer that can be carried.
  var isWaiting: Bool { signIns.contains { $0.isActive && !$0.isAbandoned } }

  /// Returns the error for a sign-in at a port at which the relay could not wait; `nil` if there is no obstacle.
  func obstacle(at port: UInt16) -> BusError? {
    let active = signIns.filter(\.isActive)
    // A further sign-in at the port replaces the earlier one.
    guard !active.contains(where: { $0.redirect.port == port }) else { return nil }
    // One whose client has disconnected is replaced.
    let count = active.count { !$0.isAbandoned }
    guard count < RelayLimits.signIns else {
      return BusError(
        .tooMany,
        "\(count) sign-ins of \(machine.shortTitle) wait for their answers; end one of them, or wait until their time has passed"
      )
    }
    return LoopbackListener.isFree(port: port) ? nil : Self.portInUse(port)
  }

  /// Starts to wait for the answer of a sign-in, which replaces an earlier one at its port.
  func start(
    _ redirect: ExpectedRedirect, for requestID: String, by carrier: any SignInCarrier
  ) throws(BusError) -> SignIn {
    for signIn in signIns where signIn.redirect.port == redirect.port { signIn.apply(.finish(.replaced)) }
    if let obstacle = obstacle(at: redirect.port) { throw obstacle }
    let active = signIns.filter(\.isActive)
    if active.count >= RelayLimits.signIns { active.first(where: \.isAbandoned)?.apply(.finish(.replaced)) }
    let signIn = SignIn(redirect, requestID: requestID, of: machine, log: log, by: carrier) {
      [weak self] signIn in self?.signIns.removeAll { $0 === signIn }
    }
    do throws(SystemdError) { try signIn.start() } catch {
      throw error.isPortInUse
        ? Self.portInUse(redirect.port) : BusError(.denied, "\(error), so that the sign-in has no effect")
    }
    signIns.append(signIn)
    return signIn
  }

  /// Ends the sign-in of a request that has failed.
  func cancel(_ requestID: String) {
    for signIn in signIns where signIn.requestID == requestID { signIn.apply(.finish(.cancelled)) }
  }

  /// Ends all sign-ins.
  func stop() {
    for signIn in signIns { signIn.apply(.finish(.stopped)) }
  }

  private static func portInUse(_ port: UInt16) -> BusError {
    BusError(
      .denied,
      "the port \(port), which the sign-in needs, is in use on the desktop, by a program or by a sign-in of another machine; "
        + "end that, or start the sign-in again with another port")
  }
}
