import Foundation
import TestSupport
import Testing

@Suite struct `Installing` {
  /// Returns the files that `make install-files` installed below `root`, relative to it.
  private func files(below root: String) throws -> Set<String> {
    Set(
      try FileManager.default.subpathsOfDirectory(atPath: root).filter { path in
        var isDirectory: ObjCBool = false
        return FileManager.default.fileExists(atPath: "\(root)/\(path)", isDirectory: &isDirectory)
          && !isDirectory.boolValue
      })
  }

  private func make(_ target: String, into root: String) async throws {
    let arguments = [
      "-C", BuiltProducts.repository, target, "DESTDIR=\(root)", "PREFIX=/usr",
      "BINARIES=\(BuiltProducts.directory)",
    ]
    try await Command.run("make", arguments).orThrow()
  }

  @Test func `Installed files are complete and valid, and can be removed`() async throws {
    let directory = try TemporaryDirectory()
    let root = directory.path
    try await make("install-files", into: root)
    let installed = try files(below: root)
    #expect(
      installed.isSuperset(of: [
        "usr/bin/usher", "usr/bin/usherd", "usr/libexec/usher/usher-command",
        "usr/libexec/usher/usher-listen",
        "usr/share/usher/schemas/envelope.schema.json", "usr/share/usher/schemas/reply.schema.json",
        "usr/share/usher/examples/application1.py", "usr/share/usher/examples/envelope.js",
        "usr/lib/systemd/user/usherd.service",
        "usr/share/applications/org.usher.Handler.desktop",
        "usr/share/applications/org.usher.Callback.desktop",
        "usr/share/dbus-1/services/org.usher.Broker1.service",
        "usr/share/dbus-1/services/org.usher.Handler.service",
        "usr/share/usher/schemas/usher-open.schema.json", "usr/share/man/man1/usher-routes-check.1",
        "usr/share/man/man8/usherd.8", "usr/share/zsh/site-functions/_usher",
      ]))
    for path in installed where path.hasSuffix(".service") || path.hasSuffix(".desktop") {
      let text = try String(contentsOfFile: "\(root)/\(path)", encoding: .utf8)
      #expect(text.contains("=/usr/bin/usher") && text.firstMatch(of: /@[a-z]+@/) == nil, "\(path)")
    }
    for id in ["org.usher.Handler", "org.usher.Callback"] {
      let entry = "\(root)/usr/share/applications/\(id).desktop"
      let validated = try await Command.run("desktop-file-validate", [entry])
      #expect(validated.succeeded && validated.output.isEmpty, "\(validated)")
    }

    try await make("install-opener", into: root)
    let opener = try await Command.run("\(root)/usr/bin/xdg-open", ["--version"]).orThrow()
    #expect(opener.output.hasPrefix("xdg-open of usher"))

    try await make("uninstall", into: root)
    #expect(try files(below: root).isEmpty)
  }

  @Test func `The distribution's own opener is left alone`() async throws {
    let directory = try TemporaryDirectory()
    let root = directory.path
    try FileManager.default.createDirectory(atPath: "\(root)/usr/bin", withIntermediateDirectories: true)
    try "#!/bin/sh\n".write(toFile: "\(root)/usr/bin/xdg-open", atomically: true, encoding: .utf8)
    try await make("uninstall", into: root)
    #expect(try files(below: root) == ["usr/bin/xdg-open"])
  }

  /// Tests that a strict umask of root does not exclude other users.
  @Test func `Installed files are readable by all users, whatever the umask`() async throws {
    let directory = try TemporaryDirectory()
    let root = directory.path
    try await Command.run(
      "sh",
      [
        "-c", #"umask 077 && exec make -C "$0" install-files DESTDIR="$1" PREFIX=/usr BINARIES="$2""#,
        BuiltProducts.repository, root, BuiltProducts.directory,
      ]
    ).orThrow()
    let installed = try FileManager.default.subpathsOfDirectory(atPath: "\(root)/usr")
    for path in installed {
      let mode = try FileManager.default.attributesOfItem(atPath: "\(root)/usr/\(path)")[.posixPermissions]
      #expect((mode as? Int).map { $0 & 0o44 } == 0o44, "\(path)")
    }
  }

  @Test func `systemd finds no fault with the unit`() async throws {
    let desktop = try ThrowAwayDesktop(hasBus: false)
    try desktop.installScript("usherd", "#!/bin/sh\n")
    let text = try BuiltProducts.template("desktop/usherd.service.in", ["bindir": desktop.bin])
    let unit = try desktop.write(text, to: "usherd.service")
    let result = try await Command.run(
      "systemd-analyze", ["--user", "verify", unit], environment: desktop.environment)
    #expect(result.succeeded && result.errorOutput.isEmpty, "\(result)")
  }
}
