// SPDX-License-Identifier: Apache-2.0
/// A URL as the routes of a policy compare it: as it is written, and in the other ways in which programs read it.
///
/// The host of an http, https, ws, wss or ftp URL is mapped before a table reads it, because every program maps it.
/// Under any other scheme a program may map the host or not, and may read a `\` as a `/` or not. Under every scheme, some
/// programs end the host at a `;`, and in a `file:` URL some read a `?` as a character of the path. A route compares the
/// written URL, and a route that restricts compares the other readings too.
public struct ComparedURL: Sendable {
  /// The URL; under http, https, ws, wss and ftp, with its host mapped.
  ///
  /// A `\` is encoded. If the URL has no valid host then, it ends at the `\`, which is a `/` here.
  public let text: String
  /// The other readings of the URL; empty if there are none.
  public let otherReadings: [Reading]

  /// Another reading of a URL.
  public enum Reading: Hashable, Sendable {
    /// The URL with its host as other programs read it, such as with the host mapped as browsers do.
    case mapped(String)
    /// The URL with each `\` as a `/`.
    case slashes(String)
    /// The URL with its host up to a `;`.
    case beforeSemicolon(String)
    /// The `file:` URL with each `?` as a character of the path.
    case questionMarks(String)
    /// The host cannot be mapped, for this reason.
    case unmapped(reason: String)
    /// The host has a `\`, which only some programs read as its end.
    case backslashInHost

    /// The text of the reading; `nil` if there is none.
    public var text: String? {
      switch self {
      case .mapped(let text), .slashes(let text), .beforeSemicolon(let text), .questionMarks(let text): text
      case .unmapped, .backslashInHost: nil
      }
    }

    /// The clause about the programs that read the URL so.
    public var reader: String {
      switch self {
      case .mapped, .unmapped: "some programs read the host differently"
      case .slashes: "some programs read a backslash as a slash"
      case .beforeSemicolon: "some programs end the host at the semicolon"
      case .questionMarks: "some programs read the question mark as part of the path"
      case .backslashInHost: "some programs read a backslash in the host as a character"
      }
    }

    /// The edit that leaves only one reading; `nil` if it depends on the host.
    var correction: String? {
      switch self {
      case .mapped, .unmapped: nil
      case .slashes, .backslashInHost: "write / or %5C instead of the backslash"
      case .beforeSemicolon: "remove the semicolon"
      case .questionMarks: "write %3F for a question mark in a file name"
      }
    }

    /// Returns a sentence about the programs that read the URL so, what follows from it, and the edit that leaves one reading.
    func sentence(_ consequence: String) -> String {
      reader + consequence + (correction.map { "; " + $0 } ?? "")
    }

    /// A Boolean value that indicates whether the reading is the written host in the form of other programs.
    private var isForm: Bool {
      switch self {
      case .mapped, .unmapped: true
      case .slashes, .beforeSemicolon, .questionMarks, .backslashInHost: false
      }
    }

    /// Returns whether a program that reads the URL so connects to another host than `written`.
    fileprivate func isElsewhere(than written: String?) -> Bool {
      guard !isForm else { return false }
      guard let text, let authority = try? URLAuthority(text) else { return true }
      return authority.host != written
    }
  }

  /// The host of the written URL.
  var host: String? { (try? URLAuthority(text))?.host }

  /// Creates a URL with its readings.
  ///
  /// - Parameters:
  ///   - url: The URL as it came.
  ///   - mappingHost: Returns the URL with its host mapped if every program maps it.
  ///   - otherReadings: Returns the URL with its host as only some programs read it; an empty array if all read the same host.
  public init<Failure: Error & CustomStringConvertible>(
    _ url: String, mappingHost: (String) throws(Failure) -> String,
    otherReadings readings: (String) -> [Result<String, Failure>]
  ) throws(Failure) {
    func mapped(_ text: String) -> [Reading] {
      readings(text).map { reading in
        switch reading {
        case .success(let text): .mapped(text)
        case .failure(let error): .unmapped(reason: error.description)
        }
      }
    }
    func forms(_ text: String) -> [Reading] {
      mapped(text) + (text.endingHostAtSemicolon.map { [.beforeSemicolon($0)] + mapped($0) } ?? [])
    }
    if let encoded = url.encodingBackslashes, let slashes = url.readingBackslashesAsSlashes {
      if (try? URLAuthority(encoded)) != nil || !encoded.hasEncodedBackslashInHost {
        text = encoded
        otherReadings = forms(encoded) + (slashes == encoded ? [] : [.slashes(slashes)] + forms(slashes))
      } else {
        text = slashes
        otherReadings = [.backslashInHost] + forms(slashes)
      }
    } else {
      text = try mappingHost(url)
      // The mapped host no longer has the characters that only some programs map otherwise.
      otherReadings =
        forms(text) + (text == url ? [] : mapped(url))
        + (text.readingQuestionMarksAsPath.map { [.questionMarks($0)] } ?? [])
    }
  }

  /// The reason why the broker does not ask about the URL; `nil` if all programs connect to one host for it.
  ///
  /// The user would be asked about one of the hosts, and the answer stored for it. The forms of one host, written and mapped,
  /// do not count.
  public var uncertainty: String? {
    guard !otherReadings.isEmpty else { return nil }
    let host = host
    return otherReadings.first { $0.isElsewhere(than: host) }?.sentence(" and find another host")
  }

  /// Returns the other readings that a route must match, beside the written URL, to open it.
  var readingsToAgree: [Reading] {
    guard !otherReadings.isEmpty else { return [] }
    let host = host
    return otherReadings.filter { reading in
      if case .questionMarks = reading { true } else { reading.isElsewhere(than: host) }
    }
  }
}
