// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import Freedesktop

@Suite struct ApplicationResolverTests {
  private let scheme: URLScheme
  init() throws { scheme = try #require(URLScheme("t")) }

  private func verdicts(_ resolution: Resolution) -> [String] {
    resolution.candidates.map { candidate in
      let verdict =
        switch candidate.verdict {
        case .chosen: "chosen"
        case .behind: "behind"
        case .excluded: "excluded"
        case .notInstalled: "not installed"
        case .unusable: "unusable"
        case .removed: "removed"
        case .shadowed: "shadowed"
        }
      return "\(candidate.name) \(verdict)"
    }
  }

  @Test func `The default precedes associations, and every candidate is listed`() throws {
    let desktop = try TestDesktop()
    for name in ["a", "b", "c"] { try desktop.writeEntry("sys1/applications/\(name).desktop") }
    try desktop.writeEntry("sys1/applications/broken.desktop", exec: "missing")
    try desktop.write(
      "sys1/applications/mimeinfo.cache", "[MIME Cache]\nx-scheme-handler/t=a.desktop;c.desktop;\n")
    try desktop.write(
      "home/.config/mimeapps.list",
      "[Default Applications]\nx-scheme-handler/t=gone.desktop;broken.desktop;b.desktop\n[Removed Associations]\nx-scheme-handler/t=c.desktop;\n"
    )
    let resolution = desktop.resolver.resolve(scheme)
    #expect(resolution.application?.id?.rawValue == "b")
    #expect(
      verdicts(resolution) == [
        "gone.desktop not installed", "broken.desktop unusable", "b.desktop chosen", "a.desktop behind",
        "c.desktop removed",
      ])
    #expect(resolution.candidates.first?.origin.line == 2)
    #expect(resolution.candidates.first?.origin.path == desktop.path("home/.config/mimeapps.list"))
    #expect(resolution.registered.map(\.rawValue) == ["a"])
    let reported = resolution.candidates.map(\.description)
    #expect(reported[1].contains("its program missing does not exist"))
    #expect(
      reported[4].contains(
        "removed by [Removed Associations] in \(desktop.path("home/.config/mimeapps.list")):4"))
  }

  @Test func `An excluded application is skipped and the next one is used`() throws {
    let desktop = try TestDesktop()
    try desktop.writeEntry("sys1/applications/org.usher.Handler.desktop")
    try desktop.writeEntry("sys1/applications/a.desktop")
    try desktop.write(
      "home/.config/mimeapps.list",
      "[Default Applications]\nx-scheme-handler/t=org.usher.Handler.desktop;a.desktop;\n")
    #expect(desktop.resolver.resolve(scheme).application?.id == .usherHandler)
    let resolution = desktop.resolver.resolve(scheme, excluding: [.usherHandler])
    #expect(resolution.application?.id?.rawValue == "a")
    #expect(verdicts(resolution) == ["org.usher.Handler.desktop excluded", "a.desktop chosen"])
  }

  @Test func `The scheme is looked up in lower case`() throws {
    let desktop = try TestDesktop()
    try desktop.writeEntry("sys1/applications/a.desktop")
    try desktop.write(
      "home/.config/mimeapps.list", "[Default Applications]\nx-scheme-handler/foo=a.desktop\n")
    let upper = try #require(URLScheme(of: "FOO://x"))
    #expect(desktop.resolver.resolve(upper).application?.id?.rawValue == "a")
  }

  @Test func `A list that GLib ignores is named`() throws {
    let desktop = try TestDesktop(desktops: "GNOME")
    try desktop.writeEntry("sys1/applications/a.desktop")
    try desktop.write(
      "home/.config/mimeapps.list", "[Default Applications]\nx-scheme-handler/t=a.desktop\njunk\n")
    try desktop.write("etc/gnome-mimeapps.list", "[Added Associations]\nx-scheme-handler/t=a.desktop\n")
    try desktop.link("etc/mimeapps.list", to: "mimeapps.list")
    try desktop.write("sys2/applications/mimeapps.list/x", "")
    let resolution = desktop.resolver.resolve(scheme)
    #expect(resolution.application == nil)
    #expect(resolution.diagnostics.map(\.problem).count == 4)
    #expect(resolution.diagnostics.first?.problem == .malformed(.init(line: 3, kind: .notALine)))
    #expect(resolution.diagnostics.contains { $0.problem == .groupNotAllowed("Added Associations") })
    #expect(resolution.diagnostics.contains { $0.path == desktop.path("etc/mimeapps.list") })
    #expect(resolution.diagnostics.allSatisfy { !$0.description.isEmpty })
  }

  @Test func `Every scheme that a list names is known`() throws {
    let desktop = try TestDesktop()
    try desktop.write(
      "home/.config/mimeapps.list",
      "[Default Applications]\nx-scheme-handler/b=a.desktop\ntext/plain=a.desktop\n")
    try desktop.write(
      "sys1/applications/mimeinfo.cache",
      "[MIME Cache]\nx-scheme-handler/a=a.desktop;\nx-scheme-handler/not valid=a.desktop;\n")
    #expect(desktop.resolver.schemes.map(\.rawValue) == ["a", "b"])
  }
}
