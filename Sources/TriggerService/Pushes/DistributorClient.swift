// SPDX-License-Identifier: Apache-2.0
import BrokerService
import BusInterfaces
import DBus

/// Calls of the user's push distributors (UnifiedPush), which connect to a push server.
@BrokerActor
final class DistributorClient {
  private let bus: BusConnection

  init(on bus: BusConnection) { self.bus = bus }

  /// Returns the names of the distributors that run or that the bus can start, in alphabetical order.
  func names() async throws(BusError) -> [String] {
    let running = try await bus.call(BusDaemon.listNames, at: .bus)
    let activatable = try await bus.call(BusDaemon.listActivatableNames, at: .bus)
    return Set(running + activatable).filter { $0.hasPrefix(TriggersInterface.distributorPrefix) }.sorted()
  }

  /// Returns the distributor for a registration.
  ///
  /// - Parameters:
  ///   - wanted: The name that the caller chooses; `nil` if the caller does not choose.
  ///   - usual: The names that were used before, the preferred one first.
  /// - Throws: `NotSupported` if no distributor exists, or if the user must choose one.
  func choose(wanted: String?, usual: [String]) async throws(BusError) -> BusName {
    let names = try await names()
    let list = names.joined(separator: ", ")
    if let wanted {
      guard names.contains(wanted), let name = BusName(wanted) else {
        throw BusError(
          .notSupported,
          "there is no push distributor “\(wanted)”; \(names.isEmpty ? "none is installed" : "installed: \(list)")"
        )
      }
      return name
    }
    if let name = usual.first(where: names.contains) ?? (names.count == 1 ? names.first : nil) {
      guard let name = BusName(name) else { throw BusError(.notSupported, "“\(name)” is not a bus name") }
      return name
    }
    guard names.isEmpty else {
      throw BusError(
        .notSupported,
        "there are several push distributors (\(list)); choose one: usher push register ID --distributor NAME"
      )
    }
    throw BusError(
      .notSupported,
      "there is no push distributor: no bus name begins with \(TriggersInterface.distributorPrefix); install one, such as KUnifiedPush"
    )
  }

  /// Registers a token by version 2 of the interface, or by version 1 if the distributor has only that.
  ///
  /// - Throws: `Failed` with the reason of the distributor.
  func register(
    token: String, description: String, vapid: String?, at distributor: BusName
  ) async throws(BusError) {
    let object = RemoteObject(distributor, UnifiedPush.distributorPath)
    let service = TriggersInterface.busName.rawValue
    var arguments: [String: Variant] = [
      "service": .string(service), "token": .string(token), "description": .string(description),
    ]
    arguments["vapid"] = vapid.map(Variant.string)
    let result: (success: String?, reason: String?)
    do throws(BusError) {
      let reply = try await bus.call(
        UnifiedPush.Distributor.register, at: object, arguments)
      result = (reply["success"]?.string, reply["reason"]?.string)
    } catch  where error.isOfMissingObject {
      let (success, reason) = try await bus.call(
        UnifiedPush.Distributor.register1, at: object, service, token, description)
      // Version 1 may report the endpoint as the result, which NewEndpoint repeats.
      result = (success == "NEW_ENDPOINT" ? Self.succeeded : success, reason)
    }
    guard result.success != Self.succeeded else { return }
    throw BusError(
      .failed,
      "the push distributor \(distributor) rejected the registration: \(Self.explanation(of: result.reason ?? ""))"
    )
  }

  /// Removes a registration; a distributor that is not installed any more has none.
  func unregister(token: String, at distributor: String) async throws(BusError) {
    guard let name = BusName(distributor), try await names().contains(distributor) else { return }
    let object = RemoteObject(name, UnifiedPush.distributorPath)
    do throws(BusError) {
      _ = try await bus.call(
        UnifiedPush.Distributor.unregister, at: object, ["token": .string(token)])
    } catch  where error.isOfMissingObject {
      try await bus.call(UnifiedPush.Distributor.unregister1, at: object, token)
    }
  }

  private static let succeeded = "REGISTRATION_SUCCEEDED"

  /// Returns the reason of a distributor as a sentence.
  private static func explanation(of reason: String) -> String {
    switch reason {
    case "NETWORK": "the distributor cannot reach its server; try again later (NETWORK)"
    case "ACTION_REQUIRED":
      "action is required in the settings of the distributor, such as signing in (ACTION_REQUIRED)"
    case "VAPID_REQUIRED":
      "the distributor requires the public key of the application's server; add --vapid KEY, or the option vapid (VAPID_REQUIRED)"
    case "UNAUTHORIZED": "the server of the distributor does not accept the user (UNAUTHORIZED)"
    case "INTERNAL_ERROR": "the distributor had an internal error; try again later (INTERNAL_ERROR)"
    case "": "the distributor gave no reason"
    default:
      "“\(String(reason.unicodeScalars.filter { $0.properties.generalCategory != .control }.prefix(200).map(Character.init)))”"
    }
  }
}
