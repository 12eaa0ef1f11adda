// SPDX-License-Identifier: Apache-2.0
import BusInterfaces
import Glibc

/// The files of an application's sessions: `$XDG_STATE_HOME/ID/scenes/SESSION.json`, one for each, mode 0600.
///
/// A file that cannot be read is ignored and not deleted. If the directory is not writable, sessions last as long as
/// the process.
struct SceneStore: Sendable {
  /// The maximum number of stored sessions; the least recently active ones are dropped.
  static let capacity = 100
  private static let suffix = ".json"
  /// The highest order of an activation that a file may have, so that later ones can be counted.
  static let maximumActivation: Int64 = 1 << 53

  private let directory: String?
  private let home: String?

  /// Creates a store in the state directory; `nil` stores nothing.
  ///
  /// - Parameter home: the home directory, which is not created if it is missing; `nil` for none.
  init(
    of applicationID: String, in stateDirectory: String?,
    home: String? = getenv("HOME").map { String(cString: $0) }
  ) {
    directory = stateDirectory.map { "\($0)/\(applicationID)/scenes" }
    self.home = home
  }

  /// Loads the sessions, most recently active first, and those in excess of the capacity.
  func load() -> (kept: [SceneSession], dropped: [SceneSession]) {
    let sessions = names().compactMap(session).sorted { $0.stored.activated > $1.stored.activated }
    return (Array(sessions.prefix(Self.capacity)), Array(sessions.dropFirst(Self.capacity)))
  }

  private func names() -> [String] {
    guard let directory, let stream = opendir(directory) else { return [] }
    defer { closedir(stream) }
    var names: [String] = []
    while let entry = readdir(stream) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) {
        $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      if name.hasSuffix(Self.suffix), !name.hasPrefix(".") { names.append(name) }
    }
    return names
  }

  private func session(named name: String) -> SceneSession? {
    guard let directory, let text = Self.read("\(directory)/\(name)"),
      let stored = try? PropertyList(json: text)
    else { return nil }
    var state = SceneSession.State()
    state.configurationName = stored["configuration"]?.string
    state.activated = min(max(stored["activated"]?.integer ?? 0, 0), Self.maximumActivation)
    state.restoration = stored["activity"].flatMap(UserActivity.init)
    state.userInfo = stored["user-info"]?.dictionary ?? [:]
    state.isRestorationOfDelegate = stored["is-activity-of-delegate"]?.boolean ?? false
    if let can = stored["can-activate"].flatMap(ActivationPredicate.init) {
      state.conditions.canActivateForTargetContentIdentifier = can
    }
    if let prefers = stored["prefers-to-activate"].flatMap(ActivationPredicate.init) {
      state.conditions.prefersToActivateForTargetContentIdentifier = prefers
    }
    return SceneSession(String(name.dropLast(Self.suffix.count)), state)
  }

  private static func read(_ path: String) -> String? {
    let file = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
    guard file >= 0 else { return nil }
    defer { close(file) }
    var status = stat()
    guard fstat(file, &status) == 0, status.st_mode & S_IFMT == S_IFREG, status.st_uid == getuid(),
      status.st_size <= 1 << 20
    else { return nil }
    var bytes = [UInt8](repeating: 0, count: Int(status.st_size))
    let count = bytes.withUnsafeMutableBytes { pread(file, $0.baseAddress, $0.count, 0) }
    return String(validating: bytes.prefix(max(count, 0)), as: UTF8.self)
  }

  /// Stores a session, and replaces its earlier file.
  ///
  /// Parts that exceed the limits of a property list (64 KiB, depth 16) are omitted, so that the session itself is
  /// stored.
  func save(_ session: SceneSession) {
    guard let directory else { return }
    let path = "\(directory)/\(session.persistentIdentifier)\(Self.suffix)"
    var entries = Self.entries(of: session.stored)
    for key in ["user-info", "activity", "can-activate", "prefers-to-activate"] {
      guard (try? PropertyList.dictionary(entries).validate(at: "")) == nil else { break }
      entries[key] = nil
    }
    makeDirectories(directory)
    let draft = path + ".new"
    unlink(draft)
    let file = open(draft, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard file >= 0 else { return }
    let bytes = Array(PropertyList.dictionary(entries).json.utf8)
    let written = write(file, bytes, bytes.count)
    close(file)
    if written != bytes.count || rename(draft, path) != 0 { unlink(draft) }
  }

  /// Deletes the file of a session.
  func remove(_ session: SceneSession) {
    guard let directory else { return }
    unlink("\(directory)/\(session.persistentIdentifier)\(Self.suffix)")
  }

  private static func entries(of state: SceneSession.State) -> [String: PropertyList] {
    var entries: [String: PropertyList] = [
      "activated": .integer(state.activated),
      "can-activate": state.conditions.canActivateForTargetContentIdentifier.propertyList,
      "prefers-to-activate": state.conditions.prefersToActivateForTargetContentIdentifier.propertyList,
    ]
    entries["configuration"] = state.configurationName.map(PropertyList.string)
    entries["activity"] = state.restoration?.payload
    entries["is-activity-of-delegate"] = state.isRestorationOfDelegate ? true : nil
    entries["user-info"] = state.userInfo.isEmpty ? nil : .dictionary(state.userInfo)
    return entries
  }

  private func makeDirectories(_ path: String) {
    if let home, path.hasPrefix(home + "/"), access(home, F_OK) != 0 { return }
    var made = ""
    for part in path.unicodeScalars.split(separator: "/").map({ String($0) }) {
      made += "/\(part)"
      mkdir(made, 0o700)
    }
  }
}
