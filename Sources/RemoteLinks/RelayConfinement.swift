// SPDX-License-Identifier: Apache-2.0
import CConfinement
import Glibc

/// The restrictions of a relay, which reads what other machines send.
///
/// The relay applies them to itself, because that of a machine connected by ssh is a child of a command, and no unit. They hold until it
/// exits.
public enum RelayConfinement {
  /// Restricts this process, which must have one thread, and returns a sentence for each restriction that the kernel does not support.
  ///
  /// - Parameter path: The path of the socket that the relay creates.
  public static func begin(socketAt path: String) -> [String] {
    let directory = path[..<(path.unicodeScalars.lastIndex(of: "/") ?? path.startIndex)]
    // The other restrictions require this one.
    guard usher_forbid_new_rights() == 0 else { return [sentence("the rights", errno)] }
    var missing: [String] = []
    let files = FileRestrictions.apply(sockets: directory.isEmpty ? "/" : String(directory))
    if files != 0 { missing.append(sentence("the files", files)) }
    let calls = SystemCallFilter.load()
    if calls != 0 { missing.append(sentence("the system calls", calls)) }
    return missing
  }

  private static func sentence(_ what: String, _ code: Int32) -> String {
    "\(what) of the relay are not restricted: \(String(cString: strerror(code)))"
  }
}
