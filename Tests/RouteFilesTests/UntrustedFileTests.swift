// SPDX-License-Identifier: Apache-2.0
import Foundation
import RouteFiles
import RouteTables
import TestSupport
import Testing

/// Files of the administrator's layer that other users than root can write, or that another directory of root has.
@Suite struct `An administrator's file beside those of /etc xdg` {
  private let directory: TemporaryDirectory
  private var system: String { "\(directory.path)/system/routes" }
  private var other: String { "\(directory.path)/other/routes" }

  init() throws {
    directory = try TemporaryDirectory()
    for name in ["system/routes", "other/routes"] { try directory.makeDirectory(name) }
  }

  private func write(_ path: String, _ text: String) throws {
    try directory.write("format = 1\nowner = \"corp\"\n" + text, to: path)
  }

  /// Reads both directories; `loose` are the files that others than root can write.
  private func set(loose: String..., userRoutesAreLocked: Bool = false) -> RouteFileSet {
    RouteFileSet(
      loading: RouteDirectory.layer(
        [other, system], rank: .administrator, system: system, userRoutesAreLocked: userRoutesAreLocked
      ) { path in !loose.contains { path == "\(directory.path)/\($0)" } })
  }

  private func outcome(_ set: RouteFileSet, _ url: String) throws -> String {
    let authority = try URLAuthority(url)
    if set.gaps.contains(where: { $0.mayCover(url, authority) }) { return "refused" }
    return try set.table.match(url)?.route.id ?? "none"
  }

  private static let denial = "[route.no]\nmatch = \"play:{x:bad}\"\ndeny = \"no\"\nfinal = true\n"
  private static let types = "[types]\nbad = '/bad|evil/'\n"
  private static let emptied = "[types]\nbad = '/nothing/'\n"

  @Test func `is reported once for each cause, with the path, the owner and the command`() throws {
    try write(
      "system/routes/a.toml",
      Self.denial.replacing("x:bad", with: "x") + "[route.b]\nmatch = \"b:{x}\"\nallow = true\nfinal = true\n"
    )
    try write("system/routes/c.toml", "[route.c]\nmatch = \"c:{x}\"\ndeny = \"no\"\nfinal = true\n")
    func set(_ found: @escaping (String) -> (reason: String, command: String?)) -> RouteFileSet {
      RouteFileSet(
        loading: RouteDirectory.layer(
          [system], rank: .administrator, system: system, isWritableByRootOnly: { _ in false },
          correction: { path, _ in found(path) }))
    }
    let directory = set { _ in ("\(system) belongs to user 7", "chown root \(system)") }
    #expect(directory.diagnostics.map(\.kind) == [.ownership], "\(directory.diagnostics)")
    #expect(directory.diagnostics.first?.command == "chown root \(system)")
    #expect(
      directory.diagnostics.first?.message.hasSuffix(
        "but \(system) belongs to user 7: run: chown root \(system)")
        == true, "\(directory.diagnostics)")
    #expect(directory.table.routes.isEmpty && directory.gaps.count == 3)
    #expect(directory.gaps.last?.reason.contains("\(system)/c.toml:6:1: `final` has") == true)
    let files = set { ("\($0) belongs to user 7", nil) }
    #expect(files.diagnostics.map(\.location.file) == ["\(system)/a.toml", "\(system)/c.toml"])
    #expect(files.diagnostics.allSatisfy { $0.command == nil && $0.message.contains("move the file to") })
  }

  @Test(arguments: ["system/routes/a.toml", "other/routes/a.toml"])
  func `does not change a type of a final route`(file: String) throws {
    try write("system/routes/z.toml", Self.types)
    try write("system/routes/y.toml", Self.denial)
    try write(file, Self.emptied + "[route.theirs]\nmatch = \"play:{x:bad}\"\nallow = true\n")
    for set in [set(loose: file), set(loose: file, "other/routes")] {
      #expect(try outcome(set, "play:bad") == "no" && outcome(set, "play:evil") == "no")
      #expect(try outcome(set, "play:nothing") == "theirs")
      #expect(set.diagnostics.map(\.kind) == [.conflict], "\(set.diagnostics)")
      #expect(set.diagnostics.first?.description.contains("z.toml:4:1: rename one") == true)
    }
    // Of root's own files only one in the same directory makes the type ambiguous.
    #expect(try outcome(set(), "play:evil") == (file.hasPrefix("other") ? "no" : "refused"))
  }

  @Test func `defines no type for a final route, whose links are then refused`() throws {
    try write("system/routes/y.toml", Self.denial)
    try write("system/routes/a.toml", Self.types)
    #expect(try outcome(set(), "play:evil") == "no")
    let set = set(loose: "system/routes/a.toml")
    #expect(try outcome(set, "play:evil") == "refused" && outcome(set, "play:other") == "refused")
    #expect(
      set.diagnostics.first?.message.contains("a.toml:4:1, which the administrator's files do not use")
        == true)
    #expect(set.diagnostics.first?.message.contains("chmod go-w") == true)
  }

  @Test func `of root with a second definition of a type makes a route that uses the type fail closed`()
    throws
  {
    try write("system/routes/y.toml", Self.denial)
    try write("system/routes/a.toml", Self.types)
    try write("system/routes/b.toml", Self.emptied)
    let set = set()
    #expect(try outcome(set, "play:evil") == "refused")
    #expect(set.diagnostics.contains { $0.message.contains("has two definitions, at") }, "\(set.diagnostics)")
    // A file uses its own definition.
    try write("system/routes/y.toml", Self.types + Self.denial)
    #expect(try outcome(self.set(), "play:evil") == "no")
    // Of two directories the first counts, as for routes.
    try write("system/routes/y.toml", Self.denial)
    try FileManager.default.moveItem(atPath: "\(system)/b.toml", toPath: "\(other)/b.toml")
    #expect(try outcome(self.set(), "play:evil") == "no")
  }

  @Test func `whose own type has an error does not use another file's type of that name`() throws {
    try write("system/routes/y.toml", "[types]\nbad = '/bad|evil[/'\n" + Self.denial)
    try write("system/routes/a.toml", Self.emptied)
    #expect(try outcome(set(), "play:evil") == "refused")
  }

  @Test(arguments: ["other/routes", "other/routes/e\u{301}.toml"])
  func `is another file than one whose name has another normal form`(loose: String) throws {
    let isFinal = loose == "other/routes" ? "" : "final = true\n"
    for (scheme, name) in [("one", "\u{E9}"), ("two", "e\u{301}")] {
      try write("other/routes/new", "[route.\(scheme)]\nmatch = \"\(scheme):{x}\"\ndeny = \"no\"\n\(isFinal)")
      #expect(rename("\(other)/new", "\(other)/\(name).toml") == 0)
    }
    let set = RouteFileSet(
      loading: RouteDirectory.layer([other, system], rank: .administrator, system: system) { path in
        !path.utf8.elementsEqual("\(directory.path)/\(loose)".utf8)
      })
    #expect(try outcome(set, "one:x") == "one", "\(set.diagnostics)")
    #expect(try outcome(set, "two:x") == (isFinal.isEmpty ? "two" : "refused"), "\(set.diagnostics)")
  }

  @Test(arguments: [
    "match = \"play:1\"\nallow = true", "match = \"play:{x...}\"\nallow = true",
    "match = \"play:1\"\nopen = \"org.example.Other\"",
    "match = \"play:1\"\nallow = true\nwins_over = \"asks\"",
  ])
  func `does not decide what a final route of the system's decides`(route: String) throws {
    try write("system/routes/a.toml", "[route.asks]\nmatch = \"play:{x...}\"\nask = true\nfinal = true\n")
    try write("other/routes/a.toml", "overlap = \"error\"\n[route.theirs]\n\(route)\nfinal = true\n")
    for set in [set(), set(loose: "other/routes/a.toml"), set(loose: "other/routes")] {
      // A file whose final routes do not count may have meant to forbid its links, so they stay refused.
      #expect(["asks", "refused"].contains(try outcome(set, "play:1")), "\(set.diagnostics)")
      #expect(try set.table.match("play:1")?.route.id == "asks", "\(set.diagnostics)")
    }
    #expect(try outcome(set(), "play:1") == "asks")
  }

  @Test func `has no final route under another spelling of its directory, whatever its name`() throws {
    try write("system/routes/a.toml", "[route.no]\nmatch = \"play:{x}\"\nallow = true\nfinal = true\n")
    let loose = "\(system)/\u{301}a.toml"
    #expect(rename("\(system)/a.toml", loose) == 0)
    let layer = RouteDirectory.layer([system], rank: .administrator, system: system) { $0 != loose }
    let set = RouteFileSet(loading: layer.map { $0.named("\(directory.path)/system/./routes") })
    #expect(set.table.routes.isEmpty && set.diagnostics.map(\.kind) == [.ownership])
  }

  @Test func `can deny what a final route of the system's allows`() throws {
    try write("system/routes/a.toml", "[route.free]\nmatch = \"play:1\"\nallow = true\nfinal = true\n")
    try write("other/routes/a.toml", "[route.theirs]\nmatch = \"play:{x...}\"\ndeny = \"no\"\nfinal = true\n")
    #expect(try outcome(set(), "play:1") == "theirs")
  }

  @Test func `removes no wins_over of the system's final routes, and takes no name in it`() throws {
    try write(
      "system/routes/a.toml",
      """
      [route.free]
      match = "play:{:a|b}/{x}"
      allow = true
      final = true

      [route.asks]
      match = "play:{x}/b"
      ask = true
      final = true
      wins_over = "corp/free"

      """)
    #expect(try outcome(set(), "play:a/b") == "asks" && outcome(set(), "play:a/c") == "free")
    // Neither a cycle of its own, nor a route whose ID looks like a name with an owner.
    try write(
      "other/routes/a.toml",
      """
      [route.one]
      match = "play:{:c|d}/{x}"
      allow = true
      final = true
      wins_over = "two"

      [route.two]
      match = "play:{x}/d"
      allow = true
      final = true
      wins_over = "one"

      """)
    try write("system/routes/b.toml", "[route.\"corp/free\"]\nmatch = \"play:z\"\nallow = true\n")
    let set = set(loose: "system/routes/b.toml")
    #expect(
      try outcome(set, "play:a/b") == "asks" && outcome(set, "play:b/b") == "asks", "\(set.diagnostics)")
    #expect(
      set.diagnostics.contains {
        $0.message.contains("`wins_over` is cyclic")
          && $0.message.hasSuffix(
            "until this is corrected, `one` does not win over `two`, and `two` does not win over `one`")
      }, "\(set.diagnostics)")
  }

  @Test func `loses no denial by rejecting overlaps`() throws {
    try write(
      "system/routes/a.toml",
      """
      overlap = "error"

      [route.one]
      match = "play:a/{x}"
      deny  = "one"
      final = true

      [route.two]
      match = "play:{x}/b"
      deny  = "two"
      final = true

      """)
    let set = set()
    #expect(set.diagnostics.map(\.kind) == [.conflict])
    #expect(set.table.routes.map(\.id).sorted() == ["one", "two"])
  }

  @Test(arguments: ["system/routes/b.toml", "other/routes/b.toml"])
  func `can only deny while user routes are locked, whatever else it says`(file: String) throws {
    try write(
      "system/routes/a.toml",
      """
      [route.asks]
      match = "play:{x...}"
      ask = true

      [route.no]
      match = "game:{x...}"
      deny = "no"

      """)
    try write(
      file,
      """
      overlap = "error"

      [route.asks]
      match = "play:bad"
      deny = "bad"

      [route.free]
      match = "play:1"
      allow = true

      [route.ours]
      match = "game:{x}"
      open = "org.example.Game"
      wins_over = "no"

      [route.cross]
      match = "{:play|game}:{x}/b"
      deny = "crossing"
      wins_over = "no"

      """)
    let free = set(loose: file)
    #expect(try outcome(free, "play:1") == "free" && outcome(free, "game:1") == "ours")
    for locked in [
      set(loose: file, userRoutesAreLocked: true),
      set(loose: file, String(file.dropLast("/b.toml".count)), userRoutesAreLocked: true),
    ] {
      #expect(try outcome(locked, "play:1") == "asks" && outcome(locked, "game:1") == "no")
      #expect(try outcome(locked, "play:bad").hasPrefix("asks (") && outcome(locked, "play:x/b") == "cross")
      #expect(locked.gaps.isEmpty)
      let diagnostic = locked.diagnostics.first
      #expect(locked.diagnostics.count == 1 && diagnostic?.kind == .conflict, "\(locked.diagnostics)")
      #expect(diagnostic?.message.contains("not `free`, `ours`; run: chown root") == true)
    }
    // Files that root alone can write are not concerned.
    #expect(try outcome(set(userRoutesAreLocked: true), "game:1") == "ours")
  }
}
