// SPDX-License-Identifier: Apache-2.0
import BrokerService
import Freedesktop
import Systemd
import Triggers

/// The calls that create a download, and have not stored it yet: each counts for the limits, and has the path of its file alone.
@BrokerActor
final class DownloadAdditions {
  private struct Addition {
    let id: String
    let application: String
    /// The path of its file, which is reserved.
    var path: String?
  }

  private let disks: ApplicationFileThreads
  /// `$XDG_DATA_HOME`, below which files without a chosen path are.
  private let dataHome: String
  private var additions: [Addition] = []

  init(on disks: ApplicationFileThreads, dataHome: String) {
    self.disks = disks
    self.dataHome = dataHome
  }

  /// Returns the number of the calls for an application, or of all calls for `nil`.
  func count(of application: String? = nil) -> Int {
    additions.count { application.map($0.application.isSpelt) ?? true }
  }

  /// Begins a call that creates the download with an ID.
  func begin(_ id: String, of application: String) {
    additions.append(Addition(id: id, application: application))
  }

  /// Ends a call, after its download was stored or rejected.
  func end(_ id: String) { additions.removeAll { $0.id == id } }

  /// Creates the partial file of a call at the requested path, or at the first free one in the application's directory.
  ///
  /// - Parameter isTaken: Whether a stored download has a path.
  /// - Returns: The file, and whether its partial file did not exist. An empty one is adopted, because a daemon that was killed may have
  ///   left it; it may also be that of another download, whose path leads to the same directory.
  func createFile(
    _ request: DownloadRequest, for id: String, isTaken: (String) -> Bool
  ) async -> Result<(DownloadFile, isNew: Bool), DownloadFailure> {
    let application = additions.first { $0.id == id }?.application ?? ""
    let disk = disks[application]
    if let path = request.file {
      guard reserve(path, for: id, isTaken) else { return .failure(Self.isWritten(path)) }
      return await create(
        DownloadFile(path: path, replaces: request.replaces), creatingDirectories: false, on: disk)
    }
    let directory = "\(dataHome)/\(application)/Downloads"
    let name = request.url.fileName
    for number in 1...1_000 {
      let path = "\(directory)/\(Self.name(name, number))"
      guard reserve(path, for: id, isTaken) else { continue }
      let created = await create(
        DownloadFile(path: path, replaces: false), creatingDirectories: true, on: disk)
      if case .failure(let failure) = created, failure.kind == .exists { continue }
      return created
    }
    return .failure(
      DownloadFailure(.exists, "\(directory) has too many files with the name \(name); remove some of them"))
  }

  private func create(
    _ target: DownloadFile, creatingDirectories: Bool, on disk: FileThread
  ) async -> Result<(DownloadFile, isNew: Bool), DownloadFailure> {
    await disk.run { target.create(creatingDirectories: creatingDirectories) }.map { part in
      var file = target
      file.inode = part.inode
      return (file, part.isNew)
    }
  }

  /// Reserves a path for a call; returns whether no other call and no download has it.
  private func reserve(_ path: String, for id: String, _ isTaken: (String) -> Bool) -> Bool {
    guard !isTaken(path), !additions.contains(where: { $0.path == path }),
      let index = additions.firstIndex(where: { $0.id == id })
    else { return false }
    additions[index].path = path
    return true
  }

  /// The failure for the path of another download.
  static func isWritten(_ path: String) -> DownloadFailure {
    DownloadFailure(.exists, "file: another download writes \(path); choose another path")
  }

  /// Returns the name of the n-th file with a name: `map.zip`, `map-2.zip`, `map-3.zip`.
  private static func name(_ name: String, _ number: Int) -> String {
    guard number > 1 else { return name }
    guard let dot = name.lastIndex(of: "."), dot != name.startIndex else { return "\(name)-\(number)" }
    return "\(name[..<dot])-\(number)\(name[dot...])"
  }
}
