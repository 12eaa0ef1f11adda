// SPDX-License-Identifier: Apache-2.0
import Glibc

/// The program of another package that has this program's name, such as the `xdg-open` of xdg-utils.
///
/// It opens links on a machine where this program is only the client for links that open on another desktop.
enum NextOpener {
  /// Executes the program of this name that follows this program in `PATH`; returns if there is none.
  ///
  /// - Parameter arguments: The arguments of this process, which end with `nil`.
  static func execute(_ arguments: [UnsafeMutablePointer<CChar>?]) {
    guard let called = arguments.first?.map({ String(cString: $0) }),
      let name = called.utf8.split(separator: UInt8(ascii: "/")).last, let path = getenv("PATH")
    else { return }
    var own = stat()
    guard stat("/proc/self/exe", &own) == 0 else { return }
    let candidates = String(cString: path).utf8.split(separator: UInt8(ascii: ":"))
      .filter { $0.first == UInt8(ascii: "/") }.map { "\(Substring($0))/\(Substring(name))" }
    let isOwn = candidates.map { candidate in
      var status = stat()
      return stat(candidate, &status) == 0 && (status.st_dev, status.st_ino) == (own.st_dev, own.st_ino)
    }
    // Two copies of this program would otherwise execute each other forever.
    let first = (isOwn.lastIndex(of: true) ?? -1) + 1
    // `execv` returns only on failure.
    for candidate in candidates[first...] { execv(candidate, arguments) }
  }
}
