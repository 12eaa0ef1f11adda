// SPDX-License-Identifier: Apache-2.0
import BusInterfaces
import DBus

/// One line of a program's output.
///
/// A line that begins with `{` is for the program's callers; it names its request by `request-id`, unless the program
/// has only one.
enum ReplyLine: Hashable {
  /// A reply, or the reason why it is invalid.
  case reply(Result<Reply, MessageError>, to: String?)
  /// The report that the program has stopped to handle a cancelled request.
  case withdrawn(String?)
  /// A progress report, such as `{"request-id": "…", "progress": {"completed": 3, "total": 10}}`, or the reason why it is
  /// invalid.
  case progress(Result<RequestProgress, MessageError>, of: String?)
  /// Any other text, such as a message for the user.
  case other(String)

  /// Parses a line.
  ///
  /// A byte-order mark in front of it has no effect. An indented line that is no JSON object is text, because programs indent their logs.
  ///
  /// - Throws: ``MessageError`` if it begins with `{`, but is not a JSON object in UTF-8, and does not begin with its request's ID either.
  init(_ line: some BidirectionalCollection<UInt8>) throws(MessageError) {
    let mark = "\u{FEFF}".utf8
    let line = line.starts(with: mark) ? line.dropFirst(mark.count) : line[...]
    let blanks: [UInt8] = [UInt8(ascii: " "), UInt8(ascii: "\t")]
    guard let first = line.firstIndex(where: { !blanks.contains($0) }), line[first] == UInt8(ascii: "{")
    else {
      self = .other(String(decoding: line, as: UTF8.self))
      return
    }
    do throws(MessageError) {
      guard let text = String(validating: line, as: UTF8.self) else {
        throw MessageError(.invalidText("the line is not UTF-8"))
      }
      try self.init(entries: try [String: Variant](json: text, leavingOutNulls: true))
    } catch {
      let text = String(decoding: line, as: UTF8.self)
      if let unread = Self(unread: text, error) {
        self = unread
      } else if first > line.startIndex {
        self = .other(text)
      } else {
        throw error
      }
    }
  }

  /// Attributes a line that cannot be read by the ID with which it begins; `nil` if it begins with another key, or has a key twice.
  private init?(unread text: String, _ error: MessageError) {
    let beginning = #/\s*\{\s*"request-id"\s*:\s*"(?<id>[^"\\]+)"\s*(?:,\s*"(?<key>[^"\\]*)")?/#
    guard error.reason != .duplicateKey, let match = text.prefixMatch(of: beginning) else { return nil }
    self =
      match.key == "progress"
      ? .progress(.failure(error), of: String(match.id)) : .reply(.failure(error), to: String(match.id))
  }

  private init(entries: [String: Variant]) throws(MessageError) {
    var entries = entries
    let id = entries.removeValue(forKey: "request-id")
    guard id == nil || id?.string != nil else {
      throw MessageError(.wrongType(found: "another value", expected: "a string"), at: "request-id")
    }
    if let progress = entries["progress"] {
      self = .progress(Self.progress(progress), of: id?.string)
    } else if entries == ["withdrawn": .boolean(true)] {
      self = .withdrawn(id?.string)
    } else {
      self = .reply(Self.reply(entries), to: id?.string)
    }
  }

  /// The reason why the line is invalid; `nil` if it is valid.
  var diagnostic: MessageError? {
    switch self {
    case .reply(.failure(let error), _), .progress(.failure(let error), _): error
    case .reply, .progress, .withdrawn, .other: nil
    }
  }

  private static func progress(_ value: Variant) -> Result<RequestProgress, MessageError> {
    guard let entries = value.entries else {
      return .failure(MessageError(.wrongType(found: "another value", expected: "an object"), at: "progress"))
    }
    do throws(MessageError) { return .success(try RequestProgress(entries)) } catch { return .failure(error) }
  }

  /// Reads a reply; `{"error": "…"}` needs no `handled`, because an error implies that the request was not handled.
  private static func reply(_ entries: [String: Variant]) -> Result<Reply, MessageError> {
    var entries = entries
    if entries["handled"] == nil, entries["error"] != nil { entries["handled"] = .boolean(false) }
    if entries["error"]?.string == "" { entries["error"] = "the program reported an error without a text" }
    do throws(MessageError) { return .success(try Reply(entries)) } catch { return .failure(error) }
  }
}

extension ReplyLine {
  /// The line that notifies a program that a request is cancelled.
  static func withdrawal(of id: String) -> String {
    JSONText.line(["request-id": .string(id), "withdrawn": .boolean(true)])
  }
}
