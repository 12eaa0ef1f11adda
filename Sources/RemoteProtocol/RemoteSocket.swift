// SPDX-License-Identifier: Apache-2.0
import Glibc
import OpenSocket

/// The sockets of relays that a client can reach.
public enum RemoteSocket {
  /// The environment variable with the path of the socket.
  public static let variable = "USHER_SOCKET"
  /// The name of the directory with the sockets, in the user's runtime directory.
  public static let directoryName = "usher-remote"

  /// Returns the paths of the sockets to try, in this order.
  ///
  /// The socket that `USHER_SOCKET` names is the only one, if the variable is set. Otherwise it is the one of this container, if there is
  /// one, and else the sockets in the directories of ``directories(_:)``, the newest first: sshd leaves the socket of a lost connection
  /// behind. Directories that do not belong to the user alone are ignored.
  public static func candidates(_ variable: (String) -> String?) -> [String] {
    if let path = variable(Self.variable), !path.isEmpty { return [path] }
    if let directory = containerDirectory(variable), isPrivate(directory) {
      let paths = sockets(in: directory)
      if !paths.isEmpty { return paths }
    }
    for directory in directories(variable) where isPrivate(directory) {
      let paths = sockets(in: directory)
      if !paths.isEmpty { return paths }
    }
    return []
  }

  /// The directory of this container's relay in a runtime directory that the container shares with the desktop; `nil` outside of a
  /// container whose name is known.
  public static func containerDirectory(_ variable: (String) -> String?) -> String? {
    guard let name = containerName, let runtime = runtimeDirectory(variable) else { return nil }
    return "\(runtime)/\(containerDirectoryPrefix)\(name)"
  }

  /// The start of the name of a directory with the socket of a container's relay; the name of the container follows.
  public static let containerDirectoryPrefix = "usher-container-"

  /// The name of the container, in lower case, as Podman writes it to `/run/.containerenv`.
  private static var containerName: String? {
    let file = open("/run/.containerenv", O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { return nil }
    defer { close(file) }
    var bytes = [UInt8](repeating: 0, count: 4_096)
    let count = read(file, &bytes, bytes.count)
    guard count > 0 else { return nil }
    return ContainerName(ofDescription: bytes[..<count])?.text
  }

  /// The value of `XDG_RUNTIME_DIR`, if it is an absolute path.
  private static func runtimeDirectory(_ variable: (String) -> String?) -> String? {
    variable("XDG_RUNTIME_DIR").flatMap { $0.utf8.first == UInt8(ascii: "/") ? $0 : nil }
  }

  /// The directories that may contain sockets: in `$XDG_RUNTIME_DIR`, in `/run/user`, and in `/tmp` on a machine without these.
  public static func directories(_ variable: (String) -> String?) -> [String] {
    var directories = [runtimeDirectory(variable), "/run/user/\(getuid())"].compactMap(\.self).map {
      "\($0)/\(directoryName)"
    }
    directories.append("/tmp/\(directoryName)-\(getuid())")
    return directories
  }

  /// Returns whether only the user can use what is in the directory.
  public static func isPrivate(_ directory: String) -> Bool {
    var status = stat()
    guard lstat(directory, &status) == 0 else { return false }
    return status.st_mode & S_IFMT == S_IFDIR && status.st_uid == getuid() && status.st_mode & 0o077 == 0
  }

  /// Returns whether a socket that refuses connections can be removed: sshd leaves those of lost connections behind, and their names are
  /// never used again.
  ///
  /// The socket of a container's relay is created again under its name when the relay is replaced, so it is kept.
  static func isAbandoned(_ path: String) -> Bool {
    let directory = directory(of: path)
    let name = directory.utf8.split(separator: UInt8(ascii: "/")).last ?? Substring(directory).utf8
    return name.starts(with: directoryName.utf8) && isPrivate(directory)
  }

  /// Returns whether a program listens at a socket.
  public static func isServed(_ path: String) -> Bool {
    let flags = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue) | Int32(SOCK_NONBLOCK.rawValue)
    let connection = socket(AF_UNIX, flags, 0)
    guard connection >= 0 else { return false }
    defer { close(connection) }
    // A program that has many connections waiting is there, too.
    return SocketAddress.with(path) { connect(connection, $0, $1) } == 0 || errno == EAGAIN
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
