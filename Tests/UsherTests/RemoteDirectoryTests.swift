// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import UsherCommand

/// The directory for sockets that another machine names.
@Suite struct `The directory for sockets on a machine` {
  @Test(arguments: [
    "/run/user/1000/usher-remote", "/tmp/usher-remote-1000", "/data/com.termux/usr_1/r+a,b@c-d",
  ])
  func `is a plain path`(path: String) { #expect(RemoteDirectory(path)?.path == path) }

  @Test func `is found behind a greeting with the line ends of DOS`() {
    let lines = SSHClient.lines("Welcome!\r\n\r\nno-client\n/tmp/usher-remote-1000\n")
    #expect(lines.last.flatMap { RemoteDirectory($0) }?.path == "/tmp/usher-remote-1000")
    #expect(lines.contains("no-client"))
  }

  @Test(arguments: [
    "/tmp/${HOME}", "/tmp/$HOME", "/tmp/%u", "/tmp/~", "/tmp/{a}", "/tmp/a:b", "/tmp/a b", "/tmp/a'b",
    "/tmp/\"a", "/tmp/a\\b", "/tmp/a\nb", "/tmp/ä", "/tmp/a\u{308}", "/tmp/;a", "/tmp/[a]", "tmp/a", "~/a",
    "",
  ])
  func `is refused if ssh or a shell could change it`(path: String) { #expect(RemoteDirectory(path) == nil) }
}
