// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

@Suite struct `usher reveal` {
  @Test func `asks the file manager to show the files`() async throws {
    try await ThrowAwayDesktop.withBus { desktop, _ in
      let manager = try await DesktopService.fileManager(on: desktop)
      try desktop.write("x", to: "\(desktop.home)/a b.txt")
      try desktop.write("x", to: "\(desktop.home)/ä#%41")
      try await desktop.usher(
        "reveal", "a b.txt", "ä#%41", "file:///etc", extra: ["XDG_ACTIVATION_TOKEN": "token-1"]
      ).orThrow()
      #expect(
        try await manager.nextCall()
          == "ShowItems|[file://\(desktop.home)/a%20b.txt,file://\(desktop.home)/%C3%A4%23%2541,file:///etc]|token-1"
      )
    }
  }

  @Test func `does not show a file that may not be opened`() async throws {
    try await ThrowAwayDesktop.withBus { desktop, _ in
      let manager = try await DesktopService.fileManager(on: desktop)
      for name in ["secret/a.txt", "open/b.txt"] { try desktop.write("x", to: "\(desktop.home)/\(name)") }
      try desktop.write(
        """
        format = 1
        owner = "user"
        [route.no-secrets]
        match = "file://\(desktop.home)/secret/{p...}"
        deny = "it is secret"
        [route.ask]
        match = "file://\(desktop.home)/open/{p...}"
        ask = true
        """, to: "\(desktop.configHome)/usher/routes/a.toml")
      let denied = try await desktop.usher("reveal", "open/b.txt", "secret/a.txt")
      #expect(denied.status == 3 && denied.errorOutput.contains("it is secret"), "\(denied)")
      // The first call of the file manager is that for the file that is only asked about.
      try await desktop.usher("reveal", "open/b.txt").orThrow()
      #expect(try await manager.nextCall() == "ShowItems|[file://\(desktop.home)/open/b.txt]|")
    }
  }

  @Test(arguments: [true, false])
  func `opens each directory once where no file manager is on the bus`(hasBus: Bool) async throws {
    func check(_ desktop: ThrowAwayDesktop) async throws {
      let files = try Recorder("files", in: desktop)
      try desktop.installDesktopEntry(
        "files", exec: "\(files.execWord) %u", schemes: [], lines: ["MimeType=inode/directory;"])
      try await desktop.updateDesktopDatabase()
      for name in ["dir/a", "dir/b"] { try desktop.write("x", to: "\(desktop.home)/\(name)") }
      let result = try await desktop.usher("reveal", "dir/a", "dir/b")
      #expect(result.status == 0, "\(result)")
      #expect(try await files.nextStart().arguments == ["file://\(desktop.home)/dir"])
    }
    if hasBus {
      try await ThrowAwayDesktop.withBus { desktop, _ in try await check(desktop) }
    } else {
      try await check(try ThrowAwayDesktop(hasBus: false))
    }
  }

  @Test(arguments: [("no-such-file", 2), ("/no/such/file", 2), ("https://h.example/", 65), ("a\nb:c", 2)])
  func `names what is not a file`(argument: String, status: Int32) async throws {
    let result = try await ThrowAwayDesktop(hasBus: false).usher("reveal", argument)
    #expect(result.status == status && result.errorOutput.contains("cannot be shown"), "\(result)")
  }
}
