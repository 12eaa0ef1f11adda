// SPDX-License-Identifier: Apache-2.0
public import DBus

/// The `platform_data` of `org.freedesktop.Application`, for targets that support only the standard interface.
extension Envelope {
  private static let prefix = "org.usher."
  private static let activationToken = "activation-token"
  private static let startupID = "desktop-startup-id"

  /// The data that accompanies the URLs.
  ///
  /// It has the activation token and the startup ID under the names of the standard, each under both if there is only
  /// one, and every other key of the envelope as
  /// `org.usher.KEY`. Desktop Entry Specification, "D-Bus Activation".
  public var platformData: [String: Variant] {
    var data: [String: Variant] = [:]
    for (key, value) in entries where key != MessageKey.urls.rawValue && key != Self.activationToken {
      data[Self.prefix + key] = value
    }
    data[Self.activationToken] = activationToken.map(Variant.string)
    data[Self.startupID] = (startupID ?? activationToken).map(Variant.string)
    return data
  }

  /// Reads `platform_data` from the broker.
  /// - Throws: ``MessageError`` with the key.
  public init(urls: [String], platformDataFromBroker data: [String: Variant]) throws(MessageError) {
    var entries: [String: Variant] = [:]
    for (key, value) in data {
      if key.hasPrefix(Self.prefix) { entries[String(key.dropFirst(Self.prefix.count))] = value }
    }
    entries.set(.urls, .strings(urls))
    entries.set(.activationToken, Self.token(in: data).map(Variant.string))
    try self.init(entries)
  }

  /// Reads `platform_data` from another caller than the broker.
  ///
  /// Only the activation token is used: `org.usher.*` keys are reserved for the broker, so they are removed. The
  /// other keys are preserved.
  public init(requestID: String, urls: [String], unverifiedPlatformData data: [String: Variant]) {
    let standard = [Self.activationToken, Self.startupID]
    self.init(
      requestID: requestID, urls: urls,
      others: data.filter { !$0.key.hasPrefix(Self.prefix) && !standard.contains($0.key) })
    activationToken = Self.token(in: data)
  }

  private static func token(in data: [String: Variant]) -> String? {
    for key in [activationToken, startupID] {
      if let token = data[key]?.string, !token.isEmpty { return token }
    }
    return nil
  }
}
