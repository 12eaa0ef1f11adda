// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing
import TestSupport

@testable import Freedesktop

@Suite struct FileFingerprintTests {
  private let directory: TemporaryDirectory
  private var environment: [String: String] {
    [
      "HOME": directory.path, "XDG_DATA_DIRS": "\(directory.path)/data",
      "XDG_CONFIG_DIRS": "\(directory.path)/etc",
    ]
  }
  private var resolver: ApplicationResolver {
    ApplicationResolver(
      directories: BaseDirectories(environment: environment), programs: ProgramSearch(path: "/bin"))
  }

  init() throws {
    directory = try TemporaryDirectory()
    try directory.makeDirectory("data/applications/kde")
    try directory.write("[Default Applications]\n", to: "etc/mimeapps.list")
    try directory.write("[Desktop Entry]\n", to: "data/applications/a.desktop")
  }

  private func path(_ name: String) -> String { "\(directory.path)/\(name)" }
  private func remove(_ name: String) throws { try FileManager.default.removeItem(atPath: path(name)) }
  private func link(_ name: String, to place: String) throws {
    try FileManager.default.createSymbolicLink(atPath: path(name), withDestinationPath: path(place))
  }

  @Test func `An unchanged file has an equal fingerprint`() {
    let places = resolver.places
    #expect(places.contains(path("etc/mimeapps.list")) && places.contains(path("data/applications/kde")))
    #expect(FileFingerprint(of: places) == FileFingerprint(of: places))
    #expect(FileFingerprint(of: places).rest != nil && FileFingerprint(of: [path("absent")]).rest == nil)
  }

  @Test(arguments: [
    "etc/mimeapps.list", "data/applications/b.desktop", "data/applications/kde/c.desktop",
    ".config/mimeapps.list", ".local/share/applications/d.desktop", "data/applications/new/e.desktop",
    "data/applications/mimeinfo.cache",
  ])
  func `A created, changed or removed file has another fingerprint`(_ name: String) throws {
    let places = resolver.places
    let before = FileFingerprint(of: places)
    try directory.write("[Something Else]\n# longer than it was\n", to: name)
    let after = FileFingerprint(of: places)
    #expect(before != after)
    let newPlaces = resolver.places
    let settled = FileFingerprint(of: newPlaces)
    try remove(name)
    #expect(FileFingerprint(of: newPlaces) != settled)
  }

  @Test func `A link with another target has another fingerprint`() throws {
    try directory.write("two", to: "second")
    try remove("etc/mimeapps.list")
    try link("etc/mimeapps.list", to: "second")
    let places = resolver.places
    let before = FileFingerprint(of: places)
    try remove("etc/mimeapps.list")
    try directory.write("three", to: "third")
    try link("etc/mimeapps.list", to: "third")
    #expect(FileFingerprint(of: places) != before)
  }

  @Test func `A link that is replaced by a directory has another fingerprint`() throws {
    try link("data/applications/later", to: "later")
    let places = resolver.places
    let before = FileFingerprint(of: places)
    try directory.makeDirectory("later")
    #expect(FileFingerprint(of: places) != before)
  }
}
