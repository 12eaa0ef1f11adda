// SPDX-License-Identifier: Apache-2.0
import BusInterfaces
import TestSupport
import Testing

/// Desktop entries and names that lead out of the applications directories.
@Suite struct `A desktop entry that points outside the applications directories` {
  private func with(_ body: @Sendable (InstalledDesktop, Recorder) async throws -> Void) async throws {
    try await InstalledDesktop.with { desk in
      let stray = try Recorder("stray", in: desk.desktop)
      try desk.desktop.write(
        "[Desktop Entry]\nType=Application\nName=Stray\nExec=\(stray.path) %u\nMimeType=x-scheme-handler/stray;\n",
        to: "home/.local/share/stray.desktop")
      try await body(desk, stray)
    }
  }

  @Test(arguments: ["../stray.desktop", "./../stray.desktop", "..-stray.desktop", "/stray.desktop", ".."])
  func `is not found through an association file`(name: String) async throws {
    try await with { desk, stray in
      try desk.desktop.installMimeApps("[Default Applications]\nx-scheme-handler/stray=\(name);\n")
      let report = try await desk.open("stray:1")
      #expect(report.error == "NoHandler", "\(report)")
      #expect(try await desk.usher("open", "--app", "../stray", "stray:2").status != 0)
      try await self.showNothingRan(desk, stray)
    }
  }

  @Test(arguments: ["../../stray", "..", "./stray", "stray/../stray"])
  func `is not run by a program beside it`(exec: String) async throws {
    try await with { desk, stray in
      let exec = exec.replacing("stray", with: "bin/stray")
      try desk.desktop.installDesktopEntry("org.example.Stray", exec: "\(exec) %u", schemes: ["stray"])
      try desk.desktop.setDefaults(["stray": ["org.usher.Handler", "org.example.Stray"]])
      let report = try await desk.open("stray:1")
      #expect(["NoHandler", "LaunchFailed"].contains(report.error), "\(report)")
      try await self.showNothingRan(desk, stray)
    }
  }

  @Test func `cannot be used as a source application`() async throws {
    try await with { desk, stray in
      try desk.desktop.installDesktopEntry("org.example.Real", exec: "\(stray.path) %u", schemes: ["real"])
      try desk.desktop.setDefaults(["real": ["org.usher.Handler", "org.example.Real"]])
      try await desk.call(
        InstalledDesktop.broker, "Open", "asa{sv}", "1", "real:1", "1", "source-application", "s",
        "../../etc/passwd"
      ).orThrow()
      let start = try await stray.nextStart()
      let envelope = try #require(start.environment["USHER_ENVELOPE"])
      #expect(!envelope.contains(".."), "\(envelope)")
      let explained = try await desk.call(
        InstalledDesktop.broker, "Explain", "sa{sv}", "real:1", "1", "source-application", "s",
        "../../etc/passwd")
      #expect(!explained.output.contains("passwd"), "\(explained)")
    }
  }

  /// Opens an allowed link, whose start must be the first.
  private func showNothingRan(_ desk: InstalledDesktop, _ stray: Recorder) async throws {
    try desk.desktop.installDesktopEntry("org.example.Real", exec: "\(stray.path) %u", schemes: ["real"])
    try desk.desktop.setDefaults(["real": ["org.usher.Handler", "org.example.Real"]])
    #expect(try await desk.open("real:3").status == 0)
    #expect(try await stray.nextStart().arguments == ["real:3"])
  }
}
