// SPDX-License-Identifier: Apache-2.0
public import BrokerCore
import Systemd

/// A program of Usher, by its path in the installation of this one.
public struct UsherProgram: Sendable {
  /// The path; `nil` if the directory of this program cannot be determined.
  public let path: String?

  /// Creates the program at a path relative to the directory of this one, such as `usher-triggers`.
  ///
  /// - Parameter relativePath: A path, after one `../` for each directory above, such as `../libexec/usher/usher-command`.
  public init(at relativePath: String) {
    path = ProcDirectory.ownProgram.map { own in
      var directory = own.split(separator: "/").dropLast()
      var rest = relativePath[...]
      while rest.hasPrefix("../") {
        directory = directory.dropLast()
        rest = rest.dropFirst(3)
      }
      return "/" + (directory + [rest]).joined(separator: "/")
    }
  }

  /// Returns whether a process that has `program` may run this program, or has run it before it was replaced; no file is read.
  func mayBeRun(as program: CallerCredentials.Program?) -> Bool {
    path != nil && program?.path == path || wasReplaced(in: program)
  }

  /// Returns whether a process that has `program` certainly runs this program.
  ///
  /// The file is compared too, because in a mount namespace of its own a process may have another file at this path. That resolves the path,
  /// so do not call it on the event loop's thread for a program at this path, which may be on a file system that hangs.
  public func isRun(as program: CallerCredentials.Program?) -> Bool {
    guard let path, let program, program.path == path, let file = FileIdentity(path: path) else {
      return false
    }
    return program.file == "\(file.device):\(file.inode)"
  }

  /// Returns whether a process runs a file that was at this path and was replaced or removed, such as by an upgrade (proc_pid_exe(5)).
  ///
  /// A program can have such a name without having been this program, so the answer must only take rights away.
  public func wasReplaced(in program: CallerCredentials.Program?) -> Bool {
    path.map { program?.path == "\($0) (deleted)" } ?? false
  }
}
