public import RouteTables

internal import Glibc

/// A folder of route files, or a file, and whose word it is.
public struct RouteDirectory: Hashable, Sendable {
  /// What `final` counts for in the files of a folder.
  public enum Finality: Hashable, Sendable {
    /// It counts, and comes before the `final` of every other folder: the administrator's own folder.
    case foremost
    /// It counts where the files are the administrator's.
    case granted
    /// It does not count: others than the administrator can write the folder.
    case refused
  }

  /// The folder that is always the administrator's, whatever the environment says.
  public static let system = "/etc/xdg/usher/routes"

  /// The folder's path, or the file's.
  public let path: String
  /// Whose word the files are; `final` counts in the administrator's alone.
  public let rank: PolicyLayer
  /// What `final` counts for in it.
  public let finality: Finality

  /// A folder, or a file, of `rank`.
  public init(path: String, rank: PolicyLayer, finality: Finality = .granted) {
    self.path = path
    self.rank = rank
    self.finality = finality
  }

  /// The folders of one layer, highest precedence first, with what `final` counts for in each.
  ///
  /// Where the administrator has the folder `system`, `final` counts in it and in folders that only root can write: others come from
  /// `XDG_CONFIG_DIRS`, which a user can set, and what such a folder says must not undo a `final` of `system`.
  public static func layer(
    _ paths: [String], rank: PolicyLayer, system: String = RouteDirectory.system,
    isRoots: (_ path: String) -> Bool = RouteDirectory.onlyRootCanWrite
  ) -> [RouteDirectory] {
    let hasSystem = rank == .administrator && paths.contains(system) && access(system, F_OK) == 0
    return paths.map { path in
      guard hasSystem else { return RouteDirectory(path: path, rank: rank) }
      let finality: Finality = path == system ? .foremost : isRoots(path) ? .granted : .refused
      return RouteDirectory(path: path, rank: rank, finality: finality)
    }
  }

  /// Whether a folder, and what it lies in, is root's and can be written by nobody else.
  public static func onlyRootCanWrite(_ path: String) -> Bool {
    guard let real = realpath(path, nil) else { return false }
    defer { free(real) }
    var place = String(cString: real)
    while true {
      var status = stat()
      guard stat(place, &status) == 0, status.st_uid == 0, status.st_mode & 0o022 == 0 else { return false }
      guard place != "/", let slash = place.lastIndex(of: "/") else { return true }
      place = slash == place.startIndex ? "/" : String(place[..<slash])
    }
  }
}
