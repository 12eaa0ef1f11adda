// SPDX-License-Identifier: Apache-2.0
import BrokerCore
import Systemd

/// A program of Usher that is installed in the directory of this one.
struct SiblingProgram: Sendable {
  /// The path; `nil` if the directory cannot be determined.
  let path: String?

  /// Creates the program with a file name.
  init(named name: String) {
    path = ProcDirectory.ownProgram.flatMap { own in
      own.lastIndex(of: "/").map { "\(own[...$0])\(name)" }
    }
  }

  /// Returns whether a caller certainly runs this program, outside a sandbox.
  ///
  /// The file is compared too, because in a mount namespace of its own a caller may have another file at this path.
  func isRun(by caller: CallerCredentials?) -> Bool {
    guard let path, let caller, !caller.mayBeSandboxed, let program = caller.program, program.path == path,
      let file = FileIdentity(path: path)
    else { return false }
    return program.file == "\(file.device):\(file.inode)"
  }
}
