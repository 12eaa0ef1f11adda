// SPDX-License-Identifier: Apache-2.0
public import BusInterfaces
import Glibc
import OpenSocket

/// The envelope of one request, in a file that a program finds through `USHER_ENVELOPE`.
///
/// The file has mode 0600 in `$XDG_RUNTIME_DIR/usher`, a directory of the user that is not a symbolic link. It is
/// removed when the program exits, or after an hour.
public struct EnvelopeFile: Sendable {
  /// The environment variable with the path of the file.
  public static let variable = RequestVariable.envelope
  /// The environment variable with the hop count of the request.
  ///
  /// It is set even if no file can be created or the file was removed, so that redirect loops are always detected.
  public static let hopsVariable = RequestVariable.hops
  private static let lifetime = 3_600

  /// The path of the file.
  public let path: String

  /// Creates the file and writes the envelope; `nil` if there is no runtime directory or the file cannot be created in it.
  public init?(_ envelope: Envelope, in runtimeDirectory: String?) {
    guard let runtimeDirectory, let directory = RuntimeDirectory.open(in: runtimeDirectory) else {
      return nil
    }
    defer { close(directory) }
    let name = "\(envelope.requestID)-\(String(UInt32.random(in: .min ... .max), radix: 16)).json"
    path = "\(runtimeDirectory)/\(RuntimeDirectory.name)/\(name)"
    let bytes = Array((envelope.json + "\n").utf8)
    guard RuntimeDirectory.create(name, with: bytes, in: directory) == nil else { return nil }
  }

  /// Returns the environment variables of a program that receives `envelope` in `file`.
  public static func variables(for envelope: Envelope, in file: EnvelopeFile?) -> [String: String] {
    var variables = [hopsVariable: String(envelope.hops)]
    variables[variable] = file?.path
    return variables
  }

  /// Removes the file.
  public func remove() { unlink(path) }

  /// Removes files that are older than an hour and whose writer exited before it could remove them.
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
      // The time may be any number, so that a difference could overflow.
      if status.st_mtim.tv_sec < now - lifetime { unlinkat(directory, name, 0) }
    }
  }
}
