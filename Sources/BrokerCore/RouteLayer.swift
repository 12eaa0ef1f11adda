// SPDX-License-Identifier: Apache-2.0
public import RouteTables

/// One layer of route files; the first layer that decides a URL wins.
public struct RouteLayer: Sendable {
  /// The author of a layer's files.
  public enum Owner: String, CaseIterable, Sendable {
    /// The user, with files in `$XDG_CONFIG_HOME/usher/routes`.
    case user
    /// The administrator, with files in `usher/routes` below `$XDG_CONFIG_DIRS` and `/etc/xdg`.
    case administrator
    /// Vendors, with files in `usher/routes` below `$XDG_DATA_HOME` and `$XDG_DATA_DIRS`.
    case vendor
  }
  /// The author of the files.
  public let owner: Owner
  /// The routes.
  public let table: RouteTable<RouteAction>
  /// The routes that are not final, if the layer has final ones.
  ///
  /// After a final `allow` they choose the application.
  let belowFinal: RouteTable<RouteAction>?
  /// The file with which the administrator disables the layer, which then has no routes; `nil` if it is enabled.
  public let lockedBy: String?
  /// The invalid rules that may forbid URLs.
  public let gaps: [RouteGap]

  /// Creates a layer of `owner`'s routes.
  public init(owner: Owner, table: RouteTable<RouteAction>, gaps: [RouteGap] = [], lockedBy: String? = nil) {
    self.owner = owner
    self.lockedBy = lockedBy
    self.table = table
    let hasFinal = table.routes.contains { $0.rank == .finalAdministrator }
    belowFinal = hasFinal ? table.filter { $0.rank != .finalAdministrator } : nil
    self.gaps = gaps
  }
}
