// SPDX-License-Identifier: Apache-2.0
import Glibc

/// The sockets of relays that a client can reach.
public enum RemoteSocket {
  /// The environment variable with the path of the socket.
  public static let variable = "USHER_SOCKET"
  /// The name of the directory with the sockets, in the user's runtime directory.
  public static let directoryName = "usher-remote"

  /// Returns the paths of the sockets to try, in this order.
  ///
  /// The socket that `USHER_SOCKET` names is the only one, if the variable is set. Otherwise these are the sockets in the directories of
  /// ``directories(_:)`` that belong to the user alone, the newest first: sshd leaves the socket of a lost connection behind.
  public static func candidates(_ variable: (String) -> String?) -> [String] {
    if let path = variable(Self.variable), !path.isEmpty { return [path] }
    for directory in directories(variable) where isPrivate(directory) {
      let paths = sockets(in: directory)
      if !paths.isEmpty { return paths }
    }
    return []
  }

  /// The directories that may contain sockets: in `$XDG_RUNTIME_DIR`, in `/run/user`, and in `/tmp` on a machine without these.
  public static func directories(_ variable: (String) -> String?) -> [String] {
    let runtime = variable("XDG_RUNTIME_DIR").flatMap { $0.utf8.first == UInt8(ascii: "/") ? $0 : nil }
    var directories = [runtime, "/run/user/\(getuid())"].compactMap(\.self).map { "\($0)/\(directoryName)" }
    directories.append("/tmp/\(directoryName)-\(getuid())")
    return directories
  }

  /// Returns whether only the user can use what is in the directory.
  public static func isPrivate(_ directory: String) -> Bool {
    var status = stat()
    guard lstat(directory, &status) == 0 else { return false }
    return status.st_mode & S_IFMT == S_IFDIR && status.st_uid == getuid() && status.st_mode & 0o077 == 0
  }

  /// Returns the directory of a path.
  static func directory(of path: String) -> String {
    String(path[..<(path.utf8.lastIndex(of: UInt8(ascii: "/")) ?? path.startIndex)])
  }

  /// Returns the paths of the sockets in a directory, the newest first.
  private static func sockets(in directory: String) -> [String] {
    guard let stream = opendir(directory) else { return [] }
    defer { closedir(stream) }
    var found: [(path: String, seconds: Int, nanoseconds: Int)] = []
    while let entry = readdir(stream) {
      let name = withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
        String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
      }
      let path = "\(directory)/\(name)"
      var status = stat()
      guard lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFSOCK else { continue }
      found.append((path, status.st_mtim.tv_sec, status.st_mtim.tv_nsec))
    }
    return found.sorted { ($0.seconds, $0.nanoseconds) > ($1.seconds, $1.nanoseconds) }.map(\.path)
  }
}
