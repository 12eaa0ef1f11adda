// SPDX-License-Identifier: Apache-2.0
import Freedesktop
import Testing

@Suite struct ProgramSearchTests {
  @Test func `Programs are found by name and by path`() throws {
    let desktop = try TestDesktop()
    try desktop.write("bin/plain", "", mode: 0o644)
    let viewer = desktop.path("bin/viewer")
    #expect(desktop.programs.find("viewer") == viewer)
    #expect(desktop.programs.find(viewer) == viewer)
    #expect(
      desktop.programs.find("bin/viewer", workingDirectory: desktop.root) == desktop.root + "/bin/viewer")
    #expect(desktop.programs.find("bin/viewer") == nil)
    #expect(desktop.programs.find("plain") == nil)
    #expect(desktop.programs.find("missing") == nil)
    #expect(desktop.programs.find("") == nil)
    #expect(desktop.programs.find(desktop.root) == nil)
  }

  @Test func `Relative directories of PATH are skipped`() {
    #expect(ProgramSearch(path: "bin::/usr/bin:.").directories == ["/usr/bin"])
    #expect(ProgramSearch(path: nil).find("sh") != nil)
  }
}
