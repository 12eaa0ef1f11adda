import BusInterfaces
import Glibc

/// The envelope of one request, in a file that a plain program finds by `USHER_ENVELOPE`.
///
/// Mode 0600 in `$XDG_RUNTIME_DIR/usher`, removed when the program ends or after an hour.
struct EnvelopeFile: Sendable {
  let path: String

  /// Writes the file; `nil` where there is no runtime folder or it takes no file.
  init?(_ envelope: Envelope, in runtimeDirectory: String?) {
    guard let runtimeDirectory else { return nil }
    let folder = runtimeDirectory + "/usher"
    mkdir(folder, 0o700)
    path = "\(folder)/\(envelope.requestID)-\(String(UInt32.random(in: .min ... .max), radix: 16)).json"
    // O_EXCL: a name that somebody prepared, as a link, is not followed.
    let file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard file >= 0 else { return nil }
    defer { close(file) }
    let bytes = Array((envelope.json + "\n").utf8)
    guard write(file, bytes, bytes.count) == bytes.count else {
      unlink(path)
      return nil
    }
  }

  func remove() { unlink(path) }
}
