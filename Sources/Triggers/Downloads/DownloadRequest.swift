// SPDX-License-Identifier: Apache-2.0
public import BusInterfaces
public import DBus

/// A file to fetch: the `request` of `org.usher.Triggers1.AddDownload`.
public struct DownloadRequest: Hashable, Sendable {
  /// `identifier` s: its identifier in the application; `nil` for one that the daemon chooses.
  public var identifier: String?
  /// `url` s: the URL of the file.
  public var url: DownloadURL
  /// `file` s: the absolute path of the file; `nil` for one that the daemon chooses.
  public var file: String?
  /// `replace` b: whether an existing file is replaced.
  public var replaces = false
  /// `sha256` s: the checksum of the file, as 64 lower-case hexadecimal digits.
  public var sha256: String?
  /// `max-size` t: the maximum length of the file in bytes.
  public var maxSize: Int64?
  /// `session-identifier` s: the identifier of the session to which the download belongs.
  public var session: String?
  /// `headers` a{sv}: header fields of the request to the server, by name.
  public var headers: [String: String] = [:]

  /// Creates a request.
  public init(identifier: String? = nil, url: DownloadURL) {
    self.identifier = identifier
    self.url = url
  }

  /// Header fields that belong to the transfer, and not to its request.
  private static let reserved: Set<String> = [
    "accept-encoding", "connection", "content-length", "content-type", "expect", "host", "if-match",
    "if-modified-since", "if-none-match", "if-range", "if-unmodified-since", "proxy-authorization", "range",
    "te",
    "trailer", "transfer-encoding", "upgrade",
  ]

  /// Reads a request.
  /// - Throws: ``MessageError`` with the key; the daemon replies `org.usher.Error.InvalidRequest`.
  public init(_ value: PropertyList) throws(MessageError) {
    let size = value.encodedSize
    guard size <= DownloadLimits.request else {
      throw MessageError(.tooLarge(bytes: size, limit: DownloadLimits.request))
    }
    let fields = try PropertyListFields(value)
    identifier = try fields.identifier("identifier")
    session = try fields.identifier("session-identifier")
    guard let text = value["url"]?.string else { throw fields.missing("url") }
    guard let url = DownloadURL(text) else { throw fields.error("url", DownloadURL.rule) }
    self.url = url
    replaces = try fields.flag("replace")
    maxSize = try fields.integer("max-size", 1...Int64.max)
    if let value = value["file"] {
      guard let path = value.string, Self.isPath(path) else {
        throw fields.error(
          "file",
          "an absolute path of at most \(DownloadLimits.path) bytes without control characters and without the parts . and .., whose last part has at most \(DownloadLimits.fileName) bytes"
        )
      }
      file = path
    }
    if let value = value["sha256"] {
      guard let text = value.string, text.utf8.count == 64,
        text.utf8.allSatisfy({ $0.isHexadecimalDigit })
      else { throw fields.error("sha256", "64 hexadecimal digits") }
      sha256 = text.lowercased()
    }
    for (name, value) in try fields.dictionary("headers") ?? [:] {
      guard let text = value.string, Self.isHeader(name, text) else {
        throw fields.error(
          "headers",
          "names of RFC 9110 with texts of visible ASCII characters and spaces, without the fields that belong to the transfer, such as Range and Host"
        )
      }
      headers[name] = text
    }
    guard headers.count <= DownloadLimits.headers,
      headers.reduce(0, { $0 + $1.key.utf8.count + $1.value.utf8.count }) <= DownloadLimits.headersSize
    else {
      throw fields.error(
        "headers",
        "at most \(DownloadLimits.headers) fields of together \(DownloadLimits.headersSize) bytes")
    }
  }

  /// Reads the `a{sv}` of the bus.
  public init(_ entries: [String: Variant]) throws(MessageError) {
    try self.init(PropertyList(.dictionary(entries)))
  }

  private static func isPath(_ text: String) -> Bool {
    let bytes = text.utf8
    let parts = bytes.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false).dropFirst()
    return bytes.first == UInt8(ascii: "/") && bytes.count <= DownloadLimits.path
      && parts.allSatisfy { !$0.isEmpty && !$0.elementsEqual(".".utf8) && !$0.elementsEqual("..".utf8) }
      && (parts.last?.count ?? 0) <= DownloadLimits.fileName
      && text.unicodeScalars.allSatisfy { $0.properties.generalCategory != .control }
  }

  private static func isHeader(_ name: String, _ value: String) -> Bool {
    !name.isEmpty
      && name.utf8.allSatisfy { $0.isASCIIAlphanumeric || "!#$%&'*+-.^_`|~".utf8.contains($0) }
      && !reserved.contains(name.lowercased())
      && !value.isEmpty && value.utf8.allSatisfy { (0x20...0x7E).contains($0) }
      && value.first != " " && value.last != " "
  }

  /// The request as a property list.
  public var propertyList: PropertyList {
    var entries: [String: PropertyList] = ["url": .string(url.text)]
    entries.set("identifier", identifier)
    entries.set("file", file)
    entries.set("replace", replaces)
    entries.set("sha256", sha256)
    entries["max-size"] = maxSize.map { .integer($0) }
    entries.set("session-identifier", session)
    if !headers.isEmpty { entries["headers"] = .dictionary(headers.mapValues { .string($0) }) }
    return .dictionary(entries)
  }

  /// The `a{sv}` on the bus.
  public var entries: [String: Variant] { propertyList.variant.entries ?? [:] }
}

extension UInt8 {
  fileprivate var isHexadecimalDigit: Bool {
    (0x30...0x39).contains(self) || (0x41...0x46).contains(self) || (0x61...0x66).contains(self)
  }
}
