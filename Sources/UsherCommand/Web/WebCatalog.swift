// SPDX-License-Identifier: Apache-2.0
import BrokerCore
import Freedesktop
import Glibc
import RouteFiles
import RouteTables

/// The route files for web links that are installed with Usher, and those of them that the user has enabled.
///
/// An enabled file is a symbolic link in the user's directory of installed routes, so that an upgrade of Usher replaces the file that is in
/// force, and so that a file which the user wrote there is never taken for one of Usher's.
struct WebCatalog {
  /// The state of a file of the catalogue.
  enum State: String {
    /// The user has not enabled it.
    case disabled
    /// It is in force.
    case enabled
    /// The user has enabled it, and it is no longer installed.
    case missing
    /// Another file has the name of the link.
    case replaced
  }

  /// A file of the catalogue.
  struct Entry {
    let name: String
    /// The first line of the file, which describes it.
    let title: String
    /// The path of the file; `nil` if it is not installed.
    let path: String?
    let state: State
    /// The targets of its routes with `target = "installed"`.
    let targets: [InstalledTarget]

    /// A Boolean value that indicates whether the file only changes links, and opens no application.
    var isCleaning: Bool { name.hasPrefix("clean-") }
  }

  /// The error of a change.
  struct ChangeError: Error {
    /// The file, the reason, and the correction.
    let description: String
  }

  /// The directories with installed files, most important first.
  let directories: [String]
  /// The directory with the links to the enabled files.
  let enabledDirectory: String

  init() {
    let base = UserEnvironment.directories
    let beside = ["../../share/usher/web-catalog", "../../../Routes/catalog"].compactMap {
      UserEnvironment.program(besideThis: $0).flatMap(Self.resolved)
    }
    directories = ([base.dataHome] + base.dataDirectories).map { $0 + "/usher/web-catalog" } + beside
    enabledDirectory = base.dataHome + "/usher/routes"
  }

  /// The files, by name; those that only change links come last.
  var entries: [Entry] {
    let installed = Set(directories.flatMap(Self.names))
    let linked = Self.names(in: enabledDirectory).compactMap { name in
      name.hasPrefix(Self.prefix) ? String(name.dropFirst(Self.prefix.count)) : nil
    }
    return installed.union(linked.filter { state(of: $0) != .replaced }).sorted().map(entry)
      .sorted { !$0.isCleaning && $1.isCleaning }
  }

  /// Returns the file of this name.
  func entry(_ name: String) -> Entry {
    let path = self.path(of: name)
    let first = path.flatMap(Self.firstLine) ?? ""
    let table = path.map { RouteFileSet(loading: [$0], rank: .vendor).table }
    let targets = table?.conditionNames.compactMap { InstalledTarget(conditionName: $0) } ?? []
    return Entry(
      name: name, title: String(first.drop { "# ".contains($0) }), path: path, state: state(of: name),
      targets: targets)
  }

  /// Returns the path of the installed file of this name; `nil` if there is none.
  private func path(of name: String) -> String? {
    directories.lazy.map { "\($0)/\(name).toml" }.first { access($0, R_OK) == 0 }
  }

  /// The start of the names of links.
  private static let prefix = "web-catalog-"

  /// Returns the path of the link to the enabled file of this name.
  func link(of name: String) -> String { "\(enabledDirectory)/\(Self.prefix)\(name).toml" }

  private func state(of name: String) -> State {
    var status = stat()
    guard lstat(link(of: name), &status) == 0 else { return .disabled }
    guard isOwn(name) else {
      // Another command can have removed it meanwhile, or made it again.
      guard lstat(link(of: name), &status) == 0 else { return .disabled }
      return isOwn(name) ? .enabled : .replaced
    }
    return stat(link(of: name), &status) == 0 ? .enabled : .missing
  }

  /// Returns whether the link of this name leads to a file of a catalogue, as only this command makes it.
  private func isOwn(_ name: String) -> Bool {
    guard let target = Self.target(ofLink: link(of: name)), target.hasPrefix("/") else { return false }
    let isKnown = directories.contains { target == "\($0)/\(name).toml" }
    return isKnown || target.hasSuffix("/usher/web-catalog/\(name).toml")
  }

  /// Enables the file of this name.
  ///
  /// - Returns: Whether anything changed.
  func enable(_ name: String) throws(ChangeError) -> Bool {
    guard let path = path(of: name) else {
      throw ChangeError(description: "\(name) is not in the catalogue; run: usher web catalog list")
    }
    let link = link(of: name)
    switch state(of: name) {
    case .replaced: throw inTheWay(link)
    case .enabled where Self.target(ofLink: link) == path: return false
    case .enabled, .missing, .disabled: break
    }
    do throws(FreedesktopError) {
      try AtomicFile.make(enabledDirectory, home: UserEnvironment.directories.home, mode: 0o755)
    } catch {
      throw ChangeError(description: error.description)
    }
    // A link is replaced in one step, so that the broker never finds the file absent. Another command may enable the file at the same time.
    let new = "\(enabledDirectory)/.\(Self.prefix)\(name).\(getpid()).new"
    unlink(new)
    guard symlink(path, new) == 0, rename(new, link) == 0 else {
      let error = failed("cannot create \(link)")
      unlink(new)
      throw error
    }
    return true
  }

  /// Disables the file of this name.
  ///
  /// - Returns: Whether anything changed.
  func disable(_ name: String) throws(ChangeError) -> Bool {
    let link = link(of: name)
    switch state(of: name) {
    case .disabled: return false
    case .replaced: throw inTheWay(link)
    case .enabled, .missing: break
    }
    if unlink(link) == 0 { return true }
    // Another command has disabled the file at the same time.
    guard errno == ENOENT else { throw failed("cannot remove \(link)") }
    return false
  }

  private func inTheWay(_ link: String) -> ChangeError {
    ChangeError(
      description:
        "\(link) is not a link that usher web catalog has made, so it is kept; to remove it, run: "
        + Shell.command("rm", link))
  }

  private func failed(_ what: String) -> ChangeError {
    ChangeError(description: "\(what): \(String(cString: strerror(errno)))")
  }

  /// Returns the first line of a file.
  private static func firstLine(of path: String) -> String? {
    guard case .bytes(let bytes) = LocalFiles().read(path) else { return nil }
    return String(decoding: bytes.prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self)
  }

  /// Returns the names of the route files in a directory, without their extension.
  private static func names(in directory: String) -> [String] {
    guard case .items(let items) = LocalFiles().list(directory) else { return [] }
    return items.map(\.name).filter { $0.hasSuffix(".toml") && !$0.hasPrefix(".") }.map {
      String($0.dropLast(5))
    }
  }

  /// Returns the path to which a symbolic link leads; `nil` if the path is not a symbolic link.
  private static func target(ofLink path: String) -> String? {
    var bytes = [CChar](repeating: 0, count: Int(PATH_MAX))
    let count = readlink(path, &bytes, bytes.count)
    guard count > 0 else { return nil }
    return String(validating: bytes[..<count].map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  /// Returns the path of an existing file without symbolic links and `..`.
  private static func resolved(_ path: String) -> String? {
    guard let found = realpath(path, nil) else { return nil }
    defer { free(found) }
    return String(cString: found)
  }
}
