public import RouteTables

/// One layer of route files; the first layer that decides is the one that counts.
public struct RouteLayer: Sendable {
  /// Who wrote the layer's files.
  public enum Owner: String, CaseIterable, Sendable {
    /// `$XDG_CONFIG_HOME/usher/routes`
    case user
    /// `/etc/xdg/usher/routes`
    case administrator
    /// `$XDG_DATA_DIRS/usher/routes`
    case vendor
  }
  /// Who wrote it.
  public let owner: Owner
  /// Its routes.
  public let table: RouteTable<RouteAction>
  /// Those of its routes that are not final, where some are: a final route that allows leaves the choice of the application to them.
  let belowFinal: RouteTable<RouteAction>?
  /// The file by which the administrator has switched the layer off; it has no routes then.
  public let lockedBy: String?
  /// Its rules that could not be read and may forbid links.
  public let gaps: [RouteGap]

  /// A layer of `owner`'s routes.
  public init(owner: Owner, table: RouteTable<RouteAction>, gaps: [RouteGap] = [], lockedBy: String? = nil) {
    self.owner = owner
    self.lockedBy = lockedBy
    self.table = table
    let hasFinal = table.routes.contains { $0.rank == .finalAdministrator }
    belowFinal = hasFinal ? table.filter { $0.rank != .finalAdministrator } : nil
    self.gaps = gaps
  }
}
