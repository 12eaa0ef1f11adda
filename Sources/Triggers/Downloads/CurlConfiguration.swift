// SPDX-License-Identifier: Apache-2.0
/// The configuration of `curl` for an attempt, which it reads from its standard input, so that no other program sees it.
public struct CurlConfiguration: Sendable {
  /// The arguments of `curl`, which contain nothing of the request.
  ///
  /// - Parameter dump: The path of the file into which the headers of the responses are written.
  public static func arguments(dumpingTo dump: String) -> [String] {
    ["curl", "--disable", "--dump-header", dump, "--config", "-"]
  }

  /// The request.
  public var request: DownloadRequest
  /// The part that exists.
  public var part: PartialFile
  /// The time after which a server that sends nothing is given up, in seconds.
  public var stall = DownloadLimits.stall

  /// Creates a configuration.
  public init(request: DownloadRequest, part: PartialFile) {
    self.request = request
    self.part = part
  }

  /// The lines of the configuration.
  public var text: String {
    let protocols = request.url.isSecure ? "=https" : "=http,https"
    var lines = [
      "silent", "fail", "location", "globoff", "no-buffer",
      "proto = \(Self.quoted(protocols))", "proto-redir = \(Self.quoted(protocols))",
      "max-redirs = \(DownloadLimits.redirects)", "connect-timeout = \(stall)", "speed-limit = 1",
      "speed-time = \(stall)", "suppress-connect-headers",
      "user-agent = \"Usher\"", "header = \"Accept-Encoding: identity\"",
    ]
    if let limit = request.maxSize { lines.append("max-filesize = \(limit)") }
    for (name, value) in request.headers.sorted(by: { $0.key < $1.key }) {
      lines.append("header = " + Self.quoted("\(name): \(value)"))
    }
    if part.count > 0, let validator = part.validator {
      lines.append("continue-at = \(part.count)")
      lines.append("header = " + Self.quoted("If-Range: \(validator)"))
    }
    lines.append("url = " + Self.quoted(request.url.text))
    return lines.joined(separator: "\n") + "\n"
  }

  private static func quoted(_ text: String) -> String {
    "\"" + text.unicodeScalars.map { $0 == "\\" || $0 == "\"" ? "\\\($0)" : String($0) }.joined() + "\""
  }
}
