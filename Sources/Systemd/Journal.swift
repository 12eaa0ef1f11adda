// SPDX-License-Identifier: Apache-2.0
import CSystemd
import Glibc

/// The journal of systemd.
public enum Journal {
  /// Indicates whether standard error is connected to the journal, so that fields can be sent with the text.
  public static var isStandardError: Bool {
    guard let stream = getenv("JOURNAL_STREAM") else { return false }
    var facts = stat()
    guard fstat(STDERR_FILENO, &facts) == 0 else { return false }
    return String(cString: stream) == "\(facts.st_dev):\(facts.st_ino)"
  }

  /// Writes an entry; `priority` is that of syslog, from 0 (emergency) to 7 (debug).
  ///
  /// - Throws: `SystemdError` if journald does not accept it.
  public static func send(
    _ message: String, priority: Int, fields: [String: String] = [:]
  ) throws(SystemdError) {
    let buffers = entry(message, priority: priority, fields: fields).map { Array($0.utf8) }
    let vectors = UnsafeMutablePointer<iovec>.allocate(capacity: buffers.count)
    defer {
      for index in buffers.indices { vectors[index].iov_base.deallocate() }
      vectors.deallocate()
    }
    for (index, buffer) in buffers.enumerated() {
      let copy = UnsafeMutableRawPointer.allocate(byteCount: max(buffer.count, 1), alignment: 1)
      copy.copyMemory(from: buffer, byteCount: buffer.count)
      vectors[index] = iovec(iov_base: copy, iov_len: buffer.count)
    }
    try check(sd_journal_sendv(vectors, Int32(buffers.count)), "write to the journal")
  }

  /// Returns the fields of an entry as `NAME=value`; systemd.journal-fields(7).
  ///
  /// A field with an invalid name is omitted, because the journal would reject the whole entry.
  static func entry(_ message: String, priority: Int, fields: [String: String]) -> [String] {
    let allowed = fields.filter { name, _ in
      !name.isEmpty && name.utf8.count <= 64 && !name.hasPrefix("_")
        && !(name.utf8.first.map { $0 <= UInt8(ascii: "9") } ?? true)
        && name.utf8.allSatisfy { byte in
          switch byte {
          case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "0")...UInt8(ascii: "9"),
            UInt8(ascii: "_"):
            true
          default: false
          }
        }
    }
    return ["MESSAGE=\(message)", "PRIORITY=\(min(max(priority, 0), 7))"]
      + allowed.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }
  }
}
