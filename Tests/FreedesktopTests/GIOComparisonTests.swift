// SPDX-License-Identifier: Apache-2.0
import Foundation
import Freedesktop
import TestSupport
import Testing

/// Comparisons of the resolver with the real `gio mime`.
@Suite(
  .enabled(
    if: FileManager.default.isExecutableFile(atPath: "/usr/bin/gio"), "libglib2.0-bin is not installed"))
struct GIOComparisonTests {
  /// The files by path, and the value of `$XDG_CURRENT_DESKTOP`.
  struct Tree: Sendable, CustomTestStringConvertible {
    let testDescription: String
    var desktops = ""
    var lists: [String: String] = [:]
    var entries: [String: String] = [:]
  }

  private static let key = "x-scheme-handler/t"
  private static let user = TestDesktop.userApplications

  static let trees: [Tree] = [
    Tree(testDescription: "nothing at all"),
    Tree(
      testDescription: "a Hidden default is taken",
      lists: ["home/.config/mimeapps.list": "[Default Applications]\n\(key)=a.desktop;b.desktop\n"],
      entries: ["\(user)/a.desktop": "Hidden=true\n", "sys1/applications/b.desktop": ""]),
    Tree(
      testDescription: "a Hidden association is not listed",
      lists: ["sys1/applications/mimeinfo.cache": "[MIME Cache]\n\(key)=a.desktop;b.desktop;\n"],
      entries: ["sys1/applications/a.desktop": "Hidden=true\n", "sys1/applications/b.desktop": ""]),
    Tree(
      testDescription: "a refused entry falls back to the one it shadows",
      lists: ["home/.config/mimeapps.list": "[Default Applications]\n\(key)=a.desktop\n"],
      entries: ["\(user)/a.desktop": "TryExec=missing\n", "sys1/applications/a.desktop": ""]),
    Tree(
      testDescription: "a user's copy hides the system's association",
      lists: ["sys1/applications/mimeinfo.cache": "[MIME Cache]\n\(key)=a.desktop;b.desktop;\n"],
      entries: [
        "\(user)/a.desktop": "", "sys1/applications/a.desktop": "", "sys1/applications/b.desktop": "",
      ]),
    Tree(
      testDescription: "the list of the desktop comes first", desktops: "Unity:GNOME",
      lists: [
        "home/.config/gnome-mimeapps.list": "[Default Applications]\n\(key)=b.desktop\n",
        "home/.config/mimeapps.list": "[Default Applications]\n\(key)=a.desktop\n",
      ],
      entries: ["sys1/applications/a.desktop": "", "sys1/applications/b.desktop": ""]),
    Tree(
      testDescription: "a directory cannot take back what its cache adds",
      lists: [
        "sys1/applications/mimeapps.list": "[Removed Associations]\n\(key)=a.desktop;\n",
        "sys1/applications/mimeinfo.cache": "[MIME Cache]\n\(key)=a.desktop;\n",
      ],
      entries: ["sys1/applications/a.desktop": ""]),
    Tree(
      testDescription: "but it can when it adds something itself",
      lists: [
        "sys1/applications/mimeapps.list":
          "[Added Associations]\n\(key)=b.desktop;\n[Removed Associations]\n\(key)=a.desktop;\n",
        "sys1/applications/mimeinfo.cache": "[MIME Cache]\n\(key)=a.desktop;\n",
      ], entries: ["sys1/applications/a.desktop": "", "sys1/applications/b.desktop": ""]),
    Tree(
      testDescription: "a removal in the home reaches the system",
      lists: [
        "home/.config/mimeapps.list": "[Removed Associations]\n\(key)=a.desktop;\n",
        "sys1/applications/mimeinfo.cache": "[MIME Cache]\n\(key)=a.desktop;b.desktop;\n",
      ], entries: ["sys1/applications/a.desktop": "", "sys1/applications/b.desktop": ""]),
    Tree(
      testDescription: "blanks in lists are part of the names",
      lists: [
        "home/.config/mimeapps.list": "[Default Applications]\n\(key)=a.desktop; b.desktop;c.desktop\n"
      ],
      entries: ["sys1/applications/b.desktop": "", "sys1/applications/c.desktop": ""]),
    Tree(
      testDescription: "defaults.list counts",
      lists: ["sys1/applications/defaults.list": "[Default Applications]\n\(key)=a.desktop\n"],
      entries: ["sys1/applications/a.desktop": ""]),
    Tree(
      testDescription: "stray semicolons, duplicate groups and CRLF",
      lists: [
        "home/.config/mimeapps.list":
          "[Default Applications]\r\n\(key)=;;a.desktop;;\r\n[Other]\r\n[Default Applications]\r\n\(key)=;b.desktop;\r\n"
      ],
      entries: ["sys1/applications/a.desktop": "", "sys1/applications/b.desktop": ""]),
    Tree(
      testDescription: "a byte order mark makes the list ignored",
      lists: ["home/.config/mimeapps.list": "\u{FEFF}[Default Applications]\n\(key)=a.desktop\n"],
      entries: ["sys1/applications/a.desktop": ""]),
    Tree(
      testDescription: "an invalid escape makes the line ignored",
      lists: ["home/.config/mimeapps.list": "[Default Applications]\n\(key)=a\\x;a.desktop\n"],
      entries: ["sys1/applications/a.desktop": ""]),
    Tree(
      testDescription: "folders of vendors",
      lists: ["home/.config/mimeapps.list": "[Default Applications]\n\(key)=kde-a.desktop\n"],
      entries: ["sys1/applications/kde/a.desktop": ""]),
    Tree(
      testDescription: "names without the suffix are not found",
      lists: ["home/.config/mimeapps.list": "[Default Applications]\n\(key)=a;b.desktop\n"],
      entries: ["sys1/applications/a.desktop": "", "sys1/applications/b.desktop": ""]),
  ]

  @Test(arguments: trees)
  func `Directories written by hand resolve as in GIO`(tree: Tree) throws {
    let desktop = try TestDesktop(desktops: tree.desktops)
    for (path, text) in tree.lists { try desktop.write(path, text) }
    for (path, extra) in tree.entries { try desktop.writeEntry(path, extra) }
    try compare(desktop, "\(tree.testDescription)")
  }

  @Test(arguments: 0..<60 as Range<UInt64>)
  func `Random directories resolve as in GIO`(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    let desktop = try TestDesktop(desktops: ["", "GNOME", "X:KDE"].randomElement(using: &generator) ?? "")
    let apps = ["a", "b", "c", "d"].map { $0 + ".desktop" }
    let directories = [TestDesktop.userApplications, "sys1/applications", "sys2/applications"]
    func chance(_ percent: Int) -> Bool { Int.random(in: 0..<100, using: &generator) < percent }
    func names() -> String {
      (0..<Int.random(in: 0...3, using: &generator)).map { _ in
        ((apps + ["kde-e.desktop", "gone.desktop", "", "a"]).randomElement(using: &generator) ?? "") + ";"
      }.joined()
    }
    for directory in directories {
      for app in apps + ["kde/e.desktop"] where chance(45) {
        let extra = ["", "", "", "Hidden=true\n", "TryExec=missing\n", "Type=Link\n", "junk\n"].randomElement(
          using: &generator)
        let exec = ["viewer %u", "viewer %u", "missing", "'viewer' %u", "\"viewer"].randomElement(
          using: &generator)
        try desktop.writeEntry("\(directory)/\(app)", extra ?? "", exec: exec ?? "")
      }
    }
    let lists = directories.flatMap { directory in
      ["mimeapps.list", "defaults.list", "mimeinfo.cache", "kde-mimeapps.list"].map { "\(directory)/\($0)" }
    }
    for list in lists + [
      "home/.config/mimeapps.list", "home/.config/gnome-mimeapps.list", "etc/mimeapps.list",
    ] where chance(40) {
      var text = chance(5) ? "junk\n" : ""
      for group in ["Default Applications", "Added Associations", "Removed Associations", "MIME Cache"]
      where chance(45) {
        text += "[\(group)]\n\(Self.key)=\(names())\n"
      }
      try desktop.write(list, text)
    }
    try compare(desktop, "seed \(seed)")
  }

  private func compare(_ desktop: TestDesktop, _ name: String) throws {
    let scheme = try #require(URLScheme("t"))
    let resolution = desktop.resolver.resolve(scheme)
    let gio = try desktop.gio("t")
    let reported = resolution.candidates.map(\.description).joined(separator: "\n")
    #expect(resolution.application?.id?.desktopFileName == gio.default, "\(name)\n\(reported)")
    #expect(resolution.registered.map(\.desktopFileName) == gio.registered, "\(name)\n\(reported)")
  }
}
