import CSystemd
import Glibc

/// The system's journal.
public enum Journal {
  /// Whether standard error leads to the journal, so that fields may be sent beside the text.
  public static var isStandardError: Bool {
    guard let stream = getenv("JOURNAL_STREAM") else { return false }
    var facts = stat()
    guard fstat(STDERR_FILENO, &facts) == 0 else { return false }
    return String(cString: stream) == "\(facts.st_dev):\(facts.st_ino)"
  }

  /// Writes one entry; `priority` is syslog's, 0 (emergency) to 7 (debug).
  ///
  /// - Throws: `SystemdError` when journald does not take it.
  public static func send(
    _ message: String, priority: Int, fields: [String: String] = [:]
  ) throws(SystemdError) {
    var lines = ["MESSAGE=\(message)", "PRIORITY=\(priority)"]
    lines += fields.map { "\($0.key)=\($0.value)" }
    let buffers = lines.map { Array($0.utf8) }
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
}
