// SPDX-License-Identifier: Apache-2.0
import BrokerCore
import BusInterfaces
import DBus
import RemoteProtocol

/// The relays that carry the answers of sign-ins to other machines.
@BrokerActor
struct SignInRelays {
  let bus: BusConnection

  /// Asks the relay, before the user is asked, whether the answer of a sign-in could be carried.
  ///
  /// - Returns: The reason why it could not; `nil` if it could.
  func obstacle(to redirect: LoopbackRedirect, of active: ActiveRequest) async -> String? {
    guard let relay = active.caller.reachableEndpoint?.connection else {
      return "the connection to the other machine was lost; start the sign-in again"
    }
    do throws(BusError) {
      try await bus.call(
        RelayInterface.admitSignIn, at: RemoteObject(relay, RelayInterface.path), active.key.id,
        UInt32(redirect.port), timeout: BrokerLimits.relay, autoStart: false)
      return nil
    } catch {
      // A relay of an earlier version has no such method; it has checked the link of the request itself.
      return error.name == .unknownMethod ? nil : error.message
    }
  }

  /// Informs the relay, before the browser opens, that the user has allowed a sign-in, so that the relay waits for its answer.
  ///
  /// - Returns: The reason why the relay cannot wait; `nil` if it does.
  func announce(_ redirect: LoopbackRedirect, of active: ActiveRequest) async -> String? {
    guard let relay = active.caller.reachableEndpoint?.connection else {
      return "the connection to the other machine was lost while the user was asked; start the sign-in again"
    }
    do throws(BusError) {
      try await bus.call(
        RelayInterface.expectRedirect, at: RemoteObject(relay, RelayInterface.path), active.key.id,
        redirect.site, redirect.host.rawValue, UInt32(redirect.port), redirect.path, redirect.state,
        timeout: BrokerLimits.relay, autoStart: false)
      return nil
    } catch {
      return error.message
    }
  }
}
