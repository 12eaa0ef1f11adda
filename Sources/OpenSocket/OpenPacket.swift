/// What is asked for at the socket: a link to be opened as `usher open` does it where it is told nothing else.
///
/// On the wire: `usher-open-1`, then names and values in turn, each ended by U+0000, as an environment is. A broker that is
/// asked for something that it does not know hangs up.
public struct OpenPacket: Hashable, Sendable {
  /// The largest that is sent, in bytes.
  public static let limit = 16_384
  private static let greeting = "usher-open-1"

  /// The link.
  public var url: String
  /// The ID, by which the request can be asked for again.
  public var requestID: String
  /// How far is waited, where that is not `delivered`.
  public var wait: String?
  /// What the launcher gave for the application's window.
  public var activationToken: String?

  /// A request for `url`.
  public init(url: String, requestID: String, wait: String? = nil, activationToken: String? = nil) {
    self.url = url
    self.requestID = requestID
    self.wait = wait
    self.activationToken = activationToken
  }

  /// The packet's bytes; `nil` where they are too many, or a value holds U+0000.
  public var bytes: [UInt8]? {
    var texts = [Self.greeting, "url", url, "request-id", requestID]
    if let wait { texts += ["wait", wait] }
    if let activationToken { texts += ["activation-token", activationToken] }
    var bytes: [UInt8] = []
    for text in texts {
      guard !text.utf8.contains(0) else { return nil }
      bytes += text.utf8
      bytes.append(0)
    }
    return bytes.count <= Self.limit ? bytes : nil
  }

  /// Reads a packet's bytes; `nil` where something is missing, unknown, there twice, or no text.
  public init?(_ bytes: some Sequence<UInt8>) {
    var texts: [String] = []
    var text: [UInt8] = []
    for byte in bytes {
      guard byte == 0 else {
        text.append(byte)
        continue
      }
      guard let whole = String(validating: text, as: UTF8.self) else { return nil }
      texts.append(whole)
      text = []
    }
    guard text.isEmpty, texts.first == Self.greeting, texts.count % 2 == 1 else { return nil }
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
    guard values.isEmpty else { return nil }
  }
}
