// SPDX-License-Identifier: Apache-2.0
import TestSupport

/// A small site at which a program signs in by an authorization code with PKCE (RFC 6749, RFC 7636), and such a program.
struct SignInProvider: Sendable {
  /// The command with which the program runs on the machine; it prints what it has received as JSON.
  let program: [String]
  private let site: RunningProgram

  /// Starts the site.
  ///
  /// The program reaches its token endpoint by a socket in the file system, because the machine of the test has no way to the network of
  /// the desk.
  ///
  /// - Parameter redirectPort: The port at which the program waits for the answer.
  static func start(on desk: InstalledDesktop, redirectPort: Int) async throws -> SignInProvider {
    let (directory, socket) = ("\(BuiltProducts.repository)/scripts/sign-in", "\(desk.desktop.root)/site")
    let site = try await RunningProgram.start("/usr/bin/python3", ["\(directory)/site.py", socket])
    let line = try await site.line { $0.hasPrefix("port ") }
    return SignInProvider(
      program: [
        "/usr/bin/python3", "\(directory)/program.py", String(line.dropFirst(5)), "\(redirectPort)", socket,
      ], site: site)
  }
}
