// SPDX-License-Identifier: Apache-2.0
import Foundation

/// Data and configuration directories with random, unusual and invalid files, reproducible from a seed.
public struct RandomTree: Sendable {
  /// The seed of all random choices.
  public let seed: UInt64
  /// The root directory of the tree.
  public let root: String
  /// The environment whose directories are in the tree.
  public private(set) var environment: [String: String] = [:]
  /// The MIME types that the lists contain.
  public private(set) var types = ["x-scheme-handler/t", "x-scheme-handler/u"]
  let isForOpening: Bool
  var generator: SeededGenerator

  /// Writes the tree into `root`, which must not exist.
  ///
  /// Its entries run a program that does nothing, many of them with unusual or invalid Exec lines. With a `viewer` they
  /// run that program, mostly with valid lines that pass a URL in different forms.
  public init(seed: UInt64, root: String, viewer: String? = nil) throws {
    self.seed = seed
    self.root = root
    isForOpening = viewer != nil
    generator = SeededGenerator(seed: seed)
    if let viewer {
      try link("bin/viewer", to: viewer)
    } else {
      try write("bin/viewer", "#!/bin/sh\n", mode: 0o755)
    }
    try write("bin/plain", "#!/bin/sh\n", mode: 0o644)
    try write("bin/folder/x", "")
    makeEnvironment()
    try writeTypes()
    for directory in Self.applications { try writeApplications(directory) }
    for directory in ["home/.config", "etc1", "etc2"] + Self.applications { try writeLists(directory) }
  }

  private static let applications = [
    "home/.local/share/applications", "sys1/applications", "sys2/applications",
  ]

  mutating func chance(_ percent: Int) -> Bool { Int.random(in: 0..<100, using: &generator) < percent }

  mutating func pick<Value>(_ first: Value, _ others: Value...) -> Value {
    others.randomElement(using: &generator).map { chance(100 / (others.count + 1)) ? first : $0 } ?? first
  }

  /// Picks `first` most often, and each of the others rarely.
  mutating func pickMostly<Value>(_ first: Value, _ percent: Int, _ others: Value...) -> Value {
    pickMostly(first, percent, among: others)
  }

  mutating func pickMostly<Value>(_ first: Value, _ percent: Int, among others: [Value]) -> Value {
    chance(percent) ? first : others.randomElement(using: &generator) ?? first
  }

  /// The path and text of every file of the tree, for the diagnosis of a difference.
  public var texts: String {
    let names = (try? FileManager.default.subpathsOfDirectory(atPath: root)) ?? []
    return names.sorted().compactMap { name in
      FileManager.default.contents(atPath: root + "/" + name).map {
        "\(name): \(String(decoding: $0, as: UTF8.self).debugDescription)"
      }
    }.joined(separator: "\n")
  }

  private mutating func makeEnvironment() {
    environment = [
      "HOME": root + "/home", "PATH": root + "/bin:/usr/bin:/bin", "LC_ALL": "C.UTF-8",
      "XDG_CURRENT_DESKTOP": pick(
        "", "GNOME", "X:KDE", "KDE:GNOME", "gnome", "a b:GNOME", "::KDE:", "GNOME:GNOME", "x-y_z",
        "KDÉ:GNOME",
        "../gnome:KDE"),
      "XDG_CONFIG_DIRS": pick("\(root)/etc1:\(root)/etc2", "\(root)/etc1", "\(root)/missing:\(root)/etc2/"),
      "XDG_DATA_DIRS": pickMostly(
        "\(root)/sys1:\(root)/sys2", 70, "\(root)/sys2/:\(root)/sys1", "\(root)/sys1:\(root)/sys1",
        "\(root)/missing:\(root)/sys2", "\(root)/home/.local/share:\(root)/sys1"),
    ]
    if chance(20) { environment["XDG_DATA_HOME"] = pick("\(root)/home/.local/share/", "\(root)/sys2") }
    if chance(20) { environment["XDG_CONFIG_HOME"] = pick("\(root)/home/.config/", "\(root)/etc2", "") }
  }
}

// MARK: - MIME types

extension RandomTree {
  private static let madeUp = ["a/x", "a/y", "a/z", "b/x", "b/y", "b/z"]
  private static let real = [
    "text/html", "application/xhtml+xml", "text/plain", "application/xml", "text/xml", "image/svg+xml",
    "text/x-python", "text/x-python3", "application/octet-stream", "inode/directory", "application/pdf",
    "application/x-pdf", "text/x-unknown", "application/x-shellscript", "text/csv", "application/zip",
    "application/vnd.oasis.opendocument.text", "message/rfc822", "inode/mount-point",
  ]

  /// Writes the machine's own MIME types, invented ones, or only names.
  private mutating func writeTypes() throws {
    let mode = Int(seed % 3)
    types += Array((mode == 0 ? Self.real : Self.madeUp).shuffled(using: &generator).prefix(5))
    if mode == 0 { try link("sys1/mime", to: "/usr/share/mime") }
    guard mode == 1 else { return }
    // The specification does not define an alias of an alias, or an alias in two files.
    var aliases = Self.madeUp.shuffled(using: &generator).filter { _ in chance(30) }
    let originals = Self.madeUp.filter { !aliases.contains($0) } + ["c/x"]
    for directory in ["home/.local/share/mime", "sys1/mime"] where chance(70) {
      let parents = Self.madeUp + ["text/plain", "c/x"]
      let lines = (0..<Int.random(in: 0...6, using: &generator)).map { _ in
        "\(Self.madeUp.randomElement(using: &generator) ?? "") \(parents.randomElement(using: &generator) ?? "")"
      }
      try write(
        directory + "/subclasses", lines.map { $0 + "\n" }.joined() + pick("", "# x y\n", "a/x\n", "\n"))
      let here = aliases.prefix(2)
      aliases.removeFirst(here.count)
      try write(
        directory + "/aliases",
        here.map { "\($0) \(originals.randomElement(using: &generator) ?? "")\n" }.joined()
      )
    }
  }
}

// MARK: - Lists

extension RandomTree {
  private static let named =
    [
      "a", "b", "c", "org.example.D", "kde-e", "x-y-f", "g h", "\u{E9}", "e\u{301}", "-", "loop-a",
      "linked-e", "linked-f",
      "gone",
    ].map { $0 + ".desktop" } + ["", "a", " a.desktop", "kde/e.desktop", "A.desktop"]

  private mutating func writeLists(_ directory: String) throws {
    let isConfiguration = !directory.hasSuffix("applications")
    let lists =
      ["mimeapps.list"] + ["gnome", "kde", "GNOME", "x-y_z", "kd\u{E9}"].map { $0 + "-mimeapps.list" }
      + (isConfiguration && chance(90) ? [] : ["defaults.list", "mimeinfo.cache", "mimeinfo.cache"])
    for list in lists where chance(35) {
      let path = directory + "/" + list
      switch Int.random(in: 0..<100, using: &generator) {
      case 0..<2: try write(path + "/x", "")
      case 2..<4: try link(path, to: pick("mimeinfo.cache", "missing", list, root + "/etc1/mimeapps.list"))
      default: try write(path, self.list())
      }
    }
  }

  private mutating func list() -> [UInt8] {
    var text = pickMostly("", 94, "\u{FEFF}", "# a comment\n\n", "junk\n", "x=y\n")
    let groups = ["Default Applications", "Added Associations", "Removed Associations", "MIME Cache"]
    for group in (groups + groups).shuffled(using: &generator) where chance(35) {
      text +=
        pickMostly("[\(group)]", 97, "[\(group)] ", " [\(group)]", "[\(group)", "[\(group)]x", "[]") + "\n"
      for type in types where chance(60) {
        text += pickMostly(type, 95, type.uppercased(), " " + type, type + "[de]", type + "x")
        text += pickMostly("=", 92, " = ", "= ", "\t=", "") + names() + "\n"
      }
      if chance(3) { text += pick("# x=y", "  ", "junk", "=x", "k\0=v", "other/type=a.desktop;") + "\n" }
    }
    if chance(5) { text.removeAll { $0 == "\n" && chance(3) } }
    if chance(4) { text = text.replacingOccurrences(of: "\n", with: "\r\n") }
    var bytes = Array(text.utf8)
    if chance(2), let index = bytes.indices.randomElement(using: &generator) { bytes[index] = 0xFF }
    return bytes
  }

  private mutating func names() -> String {
    var text = ""
    for _ in 0..<Int.random(in: 0...4, using: &generator) {
      text += Self.named.randomElement(using: &generator) ?? ""
      text += pickMostly(";", 94, ";;", "; ", "\\;", "\\s;", ",")
    }
    if chance(15), text.hasSuffix(";") { text.removeLast() }
    if chance(2) { text += pick("\\x", "\\", "\\n") }
    return text
  }
}

// MARK: - Files

extension RandomTree {
  func write(_ path: String, _ text: String, mode: mode_t = 0o644) throws {
    try write(path, Array(text.utf8), mode: mode)
  }

  /// An existing file is not overwritten, because the first one takes precedence.
  func write(_ path: String, _ bytes: [UInt8], mode: mode_t = 0o644) throws {
    let path = root + "/" + path
    var file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode)
    if file < 0, errno == ENOENT {
      try makeDirectory(of: path)
      file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode)
    }
    guard file >= 0 else { return }
    defer { close(file) }
    _ = bytes.withUnsafeBytes { Foundation.write(file, $0.baseAddress, $0.count) }
  }

  func link(_ path: String, to target: String) throws {
    try makeDirectory(of: root + "/" + path)
    symlink(target, root + "/" + path)
  }

  private func makeDirectory(of path: String) throws {
    try? FileManager.default.createDirectory(
      at: URL(fileURLWithPath: path).deletingLastPathComponent(), withIntermediateDirectories: true)
  }
}
