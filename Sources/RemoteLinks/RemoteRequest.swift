// SPDX-License-Identifier: Apache-2.0
import BrokerCore
import BusInterfaces
import DBus
import RemoteProtocol
import RouteTables

/// A request of a remote client, as the relay sends it to the broker.
struct RemoteRequest: Equatable {
  /// The ID that the client has chosen.
  let id: String
  /// The URLs in order.
  let urls: [String]
  /// The options for the broker, with the machine and the ID for the broker.
  let options: OpenOptions
  /// The redirect of the sign-in that the request begins; `nil` if it begins none.
  let signIn: LoopbackRedirect?
  /// A Boolean value that indicates whether the client can stay to carry the answer of a sign-in.
  let canCarry: Bool
  /// A Boolean value that indicates whether the request is the URL of `usher remote register --open`, as the clients of Usher mark it.
  var isOfRegistration: Bool { id.utf8.starts(with: "register-".utf8) }

  /// Reads an `open` message from a machine.
  ///
  /// - Throws: The reason why it is invalid, as a sentence for the user.
  init(_ message: RemoteMessage, from machine: RemoteMachine) throws(BusError) {
    guard let id = message["id"], RequestID.isValid(id) else {
      throw BusError(.invalidRequest, "id: write \(RequestID.rule)")
    }
    self.id = id
    urls = message.values(of: "url")
    guard !urls.isEmpty, urls.count <= RelayLimits.urls else {
      throw BusError(.invalidRequest, "url: give 1 to \(RelayLimits.urls) URLs")
    }
    canCarry = message.values(of: "accepts").contains(RemoteMessage.Kind.carry.rawValue)
    var entries: [String: Variant] = [:]
    for field in message.fields where !["id", "url"].contains(field.name) {
      // Other options concern the machine of the client, or belong to a later version.
      guard let option = RemoteOption(rawValue: field.name) else { continue }
      entries[option.rawValue] = try Self.value(field.value, of: option)
    }
    var options = try decoded(OpenOptions(entries))
    options.remote = machine.name
    options.requestID = Self.brokerID(of: id, from: machine)
    // The relay is a hop, so that machines that send a link to each other stop.
    options.hops = options.hops == .max ? .max : options.hops + 1
    // A sign-in of several URLs is refused. The broker opens the fallback only if nothing else could be opened.
    let signIn = urls.count == 1 ? Self.signIn(of: urls[0]) : nil
    self.signIn = signIn
    let maySignIn = signIn != nil || options.fallback.flatMap(Self.signIn) != nil
    if maySignIn, entries[RemoteOption.timeout.rawValue] == nil {
      options.timeout = RelayLimits.userAnswer
    }
    self.options = options
  }

  /// Returns the redirect of the sign-in that a text begins, corrected as the broker does; `nil` if it begins none.
  private static func signIn(of text: String) -> LoopbackRedirect? {
    guard let url = try? CorrectedURL(text).url, case .redirect(let redirect) = LoopbackRedirect.Reading(url)
    else { return nil }
    return redirect
  }

  /// Returns the ID of a request for the broker: equal in every relay of the machine, and different from those of other machines.
  static func brokerID(of id: String, from machine: RemoteMachine) -> String {
    var digest = KeyedDigest(key: Array("usher-remote".utf8))
    digest.add(text: machine.name)
    digest.add(text: id)
    return digest.hexadecimal()
  }

  private static func value(_ text: String, of option: RemoteOption) throws(BusError) -> Variant {
    switch option {
    case .annotation: return try decoded(PropertyList(json: text).variant)
    case .launch, .reattach, .universalLinksOnly:
      guard let truth = ["true": true, "false": false][text] else {
        throw BusError(.invalidRequest, "\(option.rawValue): write true or false")
      }
      return .boolean(truth)
    case .hops:
      guard let number = UInt32(text) else { throw BusError(.invalidRequest, "hops: write a number") }
      return .uint32(number)
    case .timeout:
      guard let number = UInt64(text) else {
        throw BusError(.invalidRequest, "timeout: write a number of microseconds")
      }
      return .uint64(number)
    case .fallback, .origin, .target, .targetContentID, .wait: return .string(text)
    }
  }
}
