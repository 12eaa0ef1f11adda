import BusInterfaces
import DBus

/// One line of what a command writes.
enum ReplyLine: Hashable {
  /// The answer, and which request it is to where it says so.
  case reply(Reply, to: String?)
  /// `{"progress": {"completed": 3, "total": 10, "message": "importing"}}`.
  case progress(RequestProgress)
  /// Something else: words for a person, most likely.
  case other(String)

  /// Reads a line; what begins with `{` must be a reply or progress.
  ///
  /// `{"error": "…"}` needs no `handled`: what failed did not handle it.
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
