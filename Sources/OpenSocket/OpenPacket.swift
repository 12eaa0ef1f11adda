// SPDX-License-Identifier: Apache-2.0
/// A request at the socket: a link to be opened with the default options of `usher open`.
///
/// On the wire it is `usher-open-1`, followed by alternating names and values, each terminated by U+0000, as in an
/// environment. Except for `url`, a name is an option of `Open` at `org.usher.Broker1` whose value is a string, or
/// `OPTION/KEY` for one entry of an option whose value is a dictionary (`a{sv}`) of strings. A broker treats names that it does not
/// know as unknown options on the bus: it passes them on to the application. A packet of another version, or with a name
/// twice, makes it close the connection, after which the caller uses the bus.
public struct OpenPacket: Hashable, Sendable {
  /// The maximum size of a packet in bytes.
  public static let limit = 16_384
  private static let greeting = "usher-open-1"

  /// The link.
  public var url: String
  /// The ID of the request, with which the caller can query or repeat it on the bus; a packet never repeats a request.
  public var requestID: String
  /// The outcome to wait for; `nil` means `delivered`.
  public var wait: String?
  /// The activation token from the launcher; `nil` if there is none.
  public var activationToken: String?
  /// Further options by their names on the wire.
  public var others: [String: String]

  /// Creates a request for `url`.
  public init(
    url: String, requestID: String, wait: String? = nil, activationToken: String? = nil,
    others: [String: String] = [:]
  ) {
    self.url = url
    self.requestID = requestID
    self.wait = wait
    self.activationToken = activationToken
    self.others = others
  }

  /// The bytes of the packet; `nil` if they are too many, or if a value contains U+0000.
  public var bytes: [UInt8]? {
    var texts = [Self.greeting, "url", url, "request-id", requestID]
    if let wait { texts += ["wait", wait] }
    if let activationToken { texts += ["activation-token", activationToken] }
    for (name, value) in others.sorted(by: { $0.key < $1.key }) { texts += [name, value] }
    guard let bytes = TerminatedTexts.bytes(of: texts), bytes.count <= Self.limit else { return nil }
    return bytes
  }

  /// Parses a packet; `nil` if a name is missing, empty or repeated, or if a text is not UTF-8.
  public init?(_ bytes: some Sequence<UInt8>) {
    guard let texts = TerminatedTexts.texts(in: bytes), texts.first == Self.greeting, texts.count % 2 == 1
    else {
      return nil
    }
    var values: [String: String] = [:]
    for index in stride(from: 1, to: texts.count, by: 2) {
      guard values.updateValue(texts[index + 1], forKey: texts[index]) == nil else { return nil }
    }
    guard let url = values.removeValue(forKey: "url"), let id = values.removeValue(forKey: "request-id")
    else { return nil }
    self.url = url
    requestID = id
    wait = values.removeValue(forKey: "wait")
    activationToken = values.removeValue(forKey: "activation-token")
    guard values[""] == nil else { return nil }
    others = values
  }
}
