import BusInterfaces
import DBus

/// One line of a command's output.
enum ReplyLine: Hashable {
  /// A reply, with the ID of its request if the line contains one.
  case reply(Reply, to: String?)
  /// A progress report, such as `{"progress": {"completed": 3, "total": 10, "message": "importing"}}`.
  case progress(RequestProgress)
  /// Any other text, such as a message for the user.
  case other(String)

  /// Parses a line; a line that begins with `{` must be a reply or progress.
  ///
  /// `{"error": "…"}` needs no `handled`, because an error implies that the request was not handled.
  init(_ line: String) throws(MessageError) {
    guard line.drop(while: { $0 == " " || $0 == "\t" }).hasPrefix("{") else {
      self = .other(line)
      return
    }
    var entries = try [String: Variant](json: line)
    if let progress = entries["progress"] {
      guard let progress = progress.entries else {
        throw MessageError(.wrongType(found: "another value", expected: "an object"), at: "progress")
      }
      self = .progress(try RequestProgress(progress))
      return
    }
    if entries["handled"] == nil, entries["error"] != nil { entries["handled"] = .boolean(false) }
    let id = entries.removeValue(forKey: "request-id")?.string
    self = .reply(try Reply(entries), to: id)
  }
}
