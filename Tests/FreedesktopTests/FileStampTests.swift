import Foundation
import Testing
import TestSupport

@testable import Freedesktop

@Suite struct FileStampTests {
  private let folder: TemporaryDirectory
  private var environment: [String: String] {
    ["HOME": folder.path, "XDG_DATA_DIRS": "\(folder.path)/data", "XDG_CONFIG_DIRS": "\(folder.path)/etc"]
  }
  private var resolver: ApplicationResolver {
    ApplicationResolver(
      directories: BaseDirectories(environment: environment), programs: ProgramSearch(path: "/bin"))
  }

  init() throws {
    folder = try TemporaryDirectory()
    try folder.makeDirectory("data/applications/kde")
    try folder.write("[Default Applications]\n", to: "etc/mimeapps.list")
    try folder.write("[Desktop Entry]\n", to: "data/applications/a.desktop")
  }

  private func path(_ name: String) -> String { "\(folder.path)/\(name)" }
  private func remove(_ name: String) throws { try FileManager.default.removeItem(atPath: path(name)) }
  private func link(_ name: String, to place: String) throws {
    try FileManager.default.createSymbolicLink(atPath: path(name), withDestinationPath: path(place))
  }

  @Test func whatWasNotTouchedIsTheSame() {
    let places = resolver.places
    #expect(places.contains(path("etc/mimeapps.list")) && places.contains(path("data/applications/kde")))
    #expect(FileStamp(of: places) == FileStamp(of: places))
    #expect(FileStamp(of: places).rest != nil && FileStamp(of: [path("absent")]).rest == nil)
  }

  @Test(arguments: [
    "etc/mimeapps.list", "data/applications/b.desktop", "data/applications/kde/c.desktop",
    ".config/mimeapps.list", ".local/share/applications/d.desktop", "data/applications/new/e.desktop",
    "data/applications/mimeinfo.cache",
  ])
  func aFileThatChangesComesOrGoesShows(_ name: String) throws {
    let places = resolver.places
    let before = FileStamp(of: places)
    try folder.write("[Something Else]\n# longer than it was\n", to: name)
    let after = FileStamp(of: places)
    #expect(before != after)
    let newPlaces = resolver.places
    let settled = FileStamp(of: newPlaces)
    try remove(name)
    #expect(FileStamp(of: newPlaces) != settled)
  }

  @Test func aLinkThatLeadsElsewhereShows() throws {
    try folder.write("two", to: "second")
    try remove("etc/mimeapps.list")
    try link("etc/mimeapps.list", to: "second")
    let places = resolver.places
    let before = FileStamp(of: places)
    try remove("etc/mimeapps.list")
    try folder.write("three", to: "third")
    try link("etc/mimeapps.list", to: "third")
    #expect(FileStamp(of: places) != before)
  }

  @Test func aLinkInAFolderThatBecomesAFolderShows() throws {
    try link("data/applications/later", to: "later")
    let places = resolver.places
    let before = FileStamp(of: places)
    try folder.makeDirectory("later")
    #expect(FileStamp(of: places) != before)
  }
}
