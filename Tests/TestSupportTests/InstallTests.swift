// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

@Suite struct `Installing` {
  /// Returns the files and directories below `root`, relative to it.
  private func tree(below root: String) throws -> Set<String> {
    Set(try FileManager.default.subpathsOfDirectory(atPath: root))
  }

  /// Runs a target of the Makefile that installs into `root`.
  private func make(
    _ target: String, into root: String, prefix: String = "/usr", extra: [String] = []
  ) async throws -> CommandResult {
    let arguments = [
      "-C", BuiltProducts.repository, target, "DESTDIR=\(root)", "PREFIX=\(prefix)",
      "BINARIES=\(BuiltProducts.directory)",
    ]
    return try await Command.run("make", arguments + extra)
  }

  @Test func `Installed files are complete and valid, and can be removed`() async throws {
    let directory = try TemporaryDirectory()
    let root = directory.path
    try await make("install-files", into: root).orThrow()
    let installed = try tree(below: root)
    var isDirectory: ObjCBool = false
    let files = installed.filter {
      FileManager.default.fileExists(atPath: "\(root)/\($0)", isDirectory: &isDirectory)
        && !isDirectory.boolValue
    }
    let list = "\(BuiltProducts.repository)/Tests/TestSupportTests/Golden/installed"
    if ProcessInfo.processInfo.environment["USHER_WRITE_GOLDEN"] != nil {
      try files.sorted().map { "\($0)\n" }.joined().write(toFile: list, atomically: true, encoding: .utf8)
    }
    let expected = try String(contentsOfFile: list, encoding: .utf8).split(separator: "\n").map(String.init)
    let difference = files.symmetricDifference(expected).sorted()
    #expect(difference.isEmpty, "USHER_WRITE_GOLDEN=1 writes Golden/installed anew")
    for path in installed where path.hasSuffix(".service") || path.hasSuffix(".desktop") {
      let text = try String(contentsOfFile: "\(root)/\(path)", encoding: .utf8)
      let programs = ["=/usr/bin/usher", "=/usr/libexec/usher/usher-"]
      #expect(programs.contains(where: text.contains) && text.firstMatch(of: /@[a-z]+@/) == nil, "\(path)")
    }
    for id in ["org.usher.Handler", "org.usher.Callback"] {
      let entry = "\(root)/usr/share/applications/\(id).desktop"
      let validated = try await Command.run("desktop-file-validate", [entry])
      #expect(validated.succeeded && validated.output.isEmpty, "\(validated)")
    }

    try await make("install-opener", into: root).orThrow()
    let opener = try await Command.run("\(root)/usr/bin/xdg-open", ["--version"]).orThrow()
    #expect(opener.output.hasPrefix("xdg-open of usher"))
    let page = try await Command.run("mandoc", ["-T", "utf8", "\(root)/usr/share/man/man1/xdg-open.1"])
    #expect(page.output.contains("open a file or a URL") && page.succeeded, "\(page)")

    // An installation over an older one removes what the new one lacks.
    try "".write(toFile: "\(root)/usr/share/man/man1/usher-old.1", atomically: true, encoding: .utf8)
    let record = "\(root)/usr/share/usher/installed"
    let recorded = try String(contentsOfFile: record, encoding: .utf8)
    try (recorded + "files /usr/share/man/man1/usher-old.1\n").write(
      toFile: record, atomically: true, encoding: .utf8)
    try await make("install-files", into: root).orThrow()
    #expect(!FileManager.default.fileExists(atPath: "\(root)/usr/share/man/man1/usher-old.1"))

    try await make("uninstall", into: root).orThrow()
    #expect(try tree(below: root).isEmpty)
  }

  @Test(arguments: ["/usr", "/usr/local", "/opt/usher", "/home/user/.local"])
  func `Uninstalling restores the previous directory tree`(prefix: String) async throws {
    let directory = try TemporaryDirectory()
    let root = directory.path
    for path in ["\(prefix)/share/applications", "\(prefix)/share/man/man1", "/usr/local/share"] {
      try FileManager.default.createDirectory(
        atPath: root + path, withIntermediateDirectories: true)
    }
    try "".write(
      toFile: "\(root)\(prefix)/share/man/man1/other.1", atomically: true, encoding: .utf8)
    let before = try tree(below: root)
    for target in ["install-opener", "install-files", "install-files", "install-session"] {
      let extra = target == "install-session" ? ["SESSION=/usr/local"] : []
      let result = try await make(target, into: root, prefix: prefix, extra: extra)
      // Only a prefix in which desktops do not look needs files in another.
      let isNeeded = !["/usr", "/usr/local"].contains(prefix)
      #expect(result.succeeded == (target != "install-session" || isNeeded), "\(target) \(result)")
    }
    try await make("uninstall", into: root, prefix: prefix).orThrow()
    #expect(try tree(below: root) == before)
    let again = try await make("uninstall", into: root, prefix: prefix)
    #expect(try again.succeeded && tree(below: root) == before, "\(again)")
  }

  /// `update-desktop-database` lists the entries of all directories below, so the cache without them would lose their types.
  @Test func `Uninstalling keeps the cache of entries in directories below`() async throws {
    let directory = try TemporaryDirectory()
    let root = directory.path
    try await make("install-files", into: root).orThrow()
    let applications = "\(root)/usr/share/applications"
    try FileManager.default.createDirectory(
      atPath: "\(applications)/wine/Programs", withIntermediateDirectories: true)
    try "[Desktop Entry]\nType=Application\nName=P\nExec=true %u\nMimeType=x-scheme-handler/programs;\n"
      .write(
        toFile: "\(applications)/wine/Programs/P.desktop", atomically: true, encoding: .utf8)
    try await Command.run("update-desktop-database", [applications]).orThrow()
    try await make("uninstall", into: root).orThrow()
    let cache = try String(contentsOfFile: "\(applications)/mimeinfo.cache", encoding: .utf8)
    #expect(cache.contains("x-scheme-handler/programs=wine-Programs-P.desktop;"), "\(cache)")
  }

  /// A bus of systemd starts nothing if an activation file names a unit that the manager does not find.
  @Test func `Activation files name the unit only where managers look for it`() async throws {
    for (prefix, unit) in [
      ("/usr", "/usr/lib/systemd/user"), ("/usr/local", "/usr/local/lib/systemd/user"),
      ("\(NSHomeDirectory())/.local", "\(NSHomeDirectory())/.local/share/systemd/user"), ("/opt/usher", nil),
    ] {
      let directory = try TemporaryDirectory()
      let root = directory.path
      let extra = ["XDG_DATA_HOME=", "HOME=\(NSHomeDirectory())"]
      try await make("install-files", into: root, prefix: prefix, extra: extra).orThrow()
      let service = try String(
        contentsOfFile: "\(root)\(prefix)/share/dbus-1/services/org.usher.Broker1.service", encoding: .utf8)
      #expect(service.contains("SystemdService=usherd.service") == (unit != nil), "\(prefix)")
      #expect(service.contains("Exec=\(prefix)/bin/usherd\n"))
      let file = "\(unit ?? "/opt/usher/share/systemd/user")/usherd.service"
      #expect(FileManager.default.fileExists(atPath: root + file), "\(file)")
    }
  }

  @Test func `Files of a package or of the administrator are kept`() async throws {
    let directory = try TemporaryDirectory()
    let root = directory.path
    try FileManager.default.createDirectory(atPath: "\(root)/usr/bin", withIntermediateDirectories: true)
    try "#!/bin/sh\n".write(toFile: "\(root)/usr/bin/xdg-open", atomically: true, encoding: .utf8)
    let opener = try await make("install-opener", into: root)
    #expect(opener.status != 0 && opener.errorOutput.contains("/usr/bin/xdg-open exists"), "\(opener)")
    try await make("uninstall", into: root).orThrow()
    #expect(try tree(below: root) == ["usr", "usr/bin", "usr/bin/xdg-open"])
    try "#!/bin/sh\n".write(toFile: "\(root)/usr/bin/usherd", atomically: true, encoding: .utf8)
    let programs = try await make("install-files", into: root)
    #expect(programs.status != 0 && programs.errorOutput.contains("/usr/bin/usherd exists"), "\(programs)")
    #expect(try tree(below: root) == ["usr", "usr/bin", "usr/bin/xdg-open", "usr/bin/usherd"])
  }

  @Test func `Files that another program has replaced since are kept`() async throws {
    let directory = try TemporaryDirectory()
    let root = directory.path
    func replace(_ path: String) throws {
      try FileManager.default.removeItem(atPath: "\(root)/\(path)")
      try "#!/bin/sh\n".write(toFile: "\(root)/\(path)", atomically: true, encoding: .utf8)
    }
    try await make("install-opener", into: root).orThrow()
    try replace("usr/bin/xdg-open")
    let opener = try await make("install-opener", into: root)
    #expect(opener.status != 0 && opener.errorOutput.contains("/usr/bin/xdg-open exists"), "\(opener)")
    try await make("install-files", into: root).orThrow()
    try replace("usr/bin/usherd")
    // An interrupted installation leaves such a file.
    try "".write(toFile: "\(root)/usr/bin/.usher.usher-new", atomically: true, encoding: .utf8)
    let removal = try await make("uninstall", into: root).orThrow()
    #expect(removal.errorOutput.contains("/usr/bin/usherd, /usr/bin/xdg-open kept"), "\(removal)")
    #expect(try tree(below: root) == ["usr", "usr/bin", "usr/bin/usherd", "usr/bin/xdg-open"])
  }

  /// With `-k`, make continues with all that does not depend on the failed build, as it does at the same time with `-j`.
  @Test func `A failed build installs nothing`() async throws {
    let directory = try TemporaryDirectory()
    let desktop = try ThrowAwayDesktop(hasBus: false)
    try desktop.installScript("swift", "#!/bin/sh\nexit 1\n")
    let arguments = [
      "-k", "-C", BuiltProducts.repository, "install", "DESTDIR=\(directory.path)", "PREFIX=/usr",
      "BINARIES=\(BuiltProducts.directory)",
    ]
    let result = try await Command.run("make", arguments, environment: desktop.environment)
    #expect(try !result.succeeded && tree(below: directory.path).isEmpty, "\(result)")
  }

  @Test func `Without programs nothing is installed`() async throws {
    let directory = try TemporaryDirectory()
    let result = try await make("install-files", into: directory.path, extra: ["BINARIES=/nowhere"])
    #expect(!result.succeeded && !result.errorOutput.contains("Traceback"), "\(result)")
    #expect(result.errorOutput.contains("/nowhere/usher does not exist; run: make build"), "\(result)")
    #expect(try tree(below: directory.path).isEmpty)
  }

  @Test(arguments: [" ", "%", ";", #"\"#])
  func `A prefix that no desktop entry can contain is refused`(character: String) async throws {
    let directory = try TemporaryDirectory()
    let result = try await make("install-files", into: directory.path, prefix: "/opt/my\(character)apps")
    #expect(!result.succeeded && result.errorOutput.contains("PREFIX must not contain"), "\(result)")
    #expect(try tree(below: directory.path).isEmpty)
  }

  @Test func `The project is built in a directory with a space`() async throws {
    let desktop = try ThrowAwayDesktop(hasBus: false)
    try desktop.installScript("swift", "#!/bin/sh\nprintf '%s\\n' \"$@\"\n")
    let directory = "\(desktop.home)/with space"
    try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
    try FileManager.default.copyItem(
      atPath: "\(BuiltProducts.repository)/Makefile", toPath: "\(directory)/Makefile")
    let result = try await Command.run(
      "make", ["build-usherd"], environment: desktop.environment, directory: directory)
    #expect(result.succeeded && result.lines.contains("-L\(directory)/linker"), "\(result)")
    #expect(result.lines.contains("--symbol-ordering-file=\(directory)/linker/usherd.order"), "\(result)")
  }

  @Test func `An update and a removal print the command for running programs`() async throws {
    let directory = try TemporaryDirectory()
    let prefix = "\(directory.path)/usr"
    let first = try await make("install-files", into: "", prefix: prefix).orThrow()
    #expect(!first.output.contains("systemctl"), "\(first)")
    let second = try await make("install-files", into: "", prefix: prefix).orThrow()
    #expect(second.output.contains("systemctl --user try-restart usherd.service"), "\(second)")
    let removal = try await make("uninstall", into: "", prefix: prefix).orThrow()
    #expect(removal.output.contains("systemctl --user stop usherd.service"), "\(removal)")
  }

  /// A package may have replaced files by the same content.
  @Test func `Files of a package of Usher are kept`() async throws {
    let directory = try TemporaryDirectory()
    let root = directory.path
    try await make("install-files", into: root).orThrow()
    try await make("install-opener", into: root).orThrow()
    try "".write(toFile: "\(root)/usr/share/usher/packaged", atomically: true, encoding: .utf8)
    let before = try tree(below: root)
    let again = try await make("install-files", into: root)
    #expect(again.status != 0 && again.errorOutput.contains("exists"), "\(again)")
    try await make("uninstall", into: root).orThrow()
    let removed: Set = ["usr/bin/xdg-open", "usr/share/man/man1/xdg-open.1", "usr/share/usher/installed"]
    #expect(try tree(below: root) == before.subtracting(removed))
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

  @Test func `The source package contains no file that is not tracked`() async throws {
    let directory = try TemporaryDirectory()
    let script = """
      mkdir -p project/scripts copy && cp "$0" project/scripts
      git init --quiet project && git -C project add scripts && touch project/notes
      project/scripts/copy-files --tracked copy
      """
    let original = "\(BuiltProducts.repository)/scripts/copy-files"
    try await Command.run("sh", ["-ec", script, original], directory: directory.path).orThrow()
    #expect(try tree(below: "\(directory.path)/copy") == ["scripts", "scripts/copy-files"])
  }

  @Test(arguments: ["usherd", "usher-triggers", "usher-remote@"])
  func `systemd finds no fault with the units`(name: String) async throws {
    let desktop = try ThrowAwayDesktop(hasBus: false)
    for program in ["usherd", "usher-triggers", "usher-remote"] {
      try desktop.installScript(program, "#!/bin/sh\n")
    }
    let text = try BuiltProducts.template(
      "desktop/\(name).service.in", ["bindir": desktop.bin, "libexecdir": desktop.bin])
    let unit = try desktop.write(text, to: "\(name).service")
    let result = try await Command.run(
      "systemd-analyze", ["--user", "verify", unit], environment: desktop.environment)
    #expect(result.succeeded && result.errorOutput.isEmpty, "\(result)")
  }
}
