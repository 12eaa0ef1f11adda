public import BusInterfaces
import Glibc
import OpenSocket

/// The envelope of one request, in a file that a plain program finds by `USHER_ENVELOPE`.
///
/// Mode 0600 in `$XDG_RUNTIME_DIR/usher`, which is the user's alone and no link; removed when the program ends or after an hour.
public struct EnvelopeFile: Sendable {
  /// The variable that names the file.
  public static let variable = RequestVariable.envelope
  /// The variable that says how many rounds the request has gone: there also where no file can be, or the file has
  /// gone, so that a link which comes back is always seen.
  public static let hopsVariable = RequestVariable.hops
  private static let lifetime = 3_600

  /// Where it is.
  public let path: String

  /// Writes the file; `nil` where there is no runtime folder or it takes no file.
  public init?(_ envelope: Envelope, in runtimeDirectory: String?) {
    guard let runtimeDirectory, let directory = RuntimeDirectory.open(in: runtimeDirectory) else {
      return nil
    }
    defer { close(directory) }
    let name = "\(envelope.requestID)-\(String(UInt32.random(in: .min ... .max), radix: 16)).json"
    path = "\(runtimeDirectory)/\(RuntimeDirectory.name)/\(name)"
    // O_EXCL: a name that somebody prepared, as a link, is not followed.
    let file = openat(directory, name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard file >= 0 else { return nil }
    defer { close(file) }
    let bytes = Array((envelope.json + "\n").utf8)
    guard write(file, bytes, bytes.count) == bytes.count else {
      unlinkat(directory, name, 0)
      return nil
    }
  }

  /// What a program that gets `envelope` finds in its environment, where its file is `file`.
  public static func variables(for envelope: Envelope, in file: EnvelopeFile?) -> [String: String] {
    var variables = [hopsVariable: String(envelope.hops)]
    variables[variable] = file?.path
    return variables
  }

  /// Removes the file.
  public func remove() { unlink(path) }

  /// Removes files whose hour has passed and whose writer did not stay to do it.
  public static func removeExpired(in runtimeDirectory: String?) {
    guard let runtimeDirectory, let directory = RuntimeDirectory.open(in: runtimeDirectory) else { return }
    guard let entries = fdopendir(directory) else {
      close(directory)
      return
    }
    defer { closedir(entries) }
    let now = time(nil)
    while let entry = readdir(entries) {
      let name = withUnsafeBytes(of: &entry.pointee.d_name) {
        String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
      }
      var status = stat()
      guard name.hasSuffix(".json"), fstatat(directory, name, &status, AT_SYMLINK_NOFOLLOW) == 0,
        status.st_mode & S_IFMT == S_IFREG
      else { continue }
      if now - status.st_mtim.tv_sec > lifetime { unlinkat(directory, name, 0) }
    }
  }
}
