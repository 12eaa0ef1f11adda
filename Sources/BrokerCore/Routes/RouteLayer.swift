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
  /// The routes that clean URLs before other routes decide; `nil` if there are none.
  let cleaning: RouteTable<RouteAction>?
  /// Those of them that do not unwrap URLs, if some do.
  let cleaningWithoutUnwrapping: RouteTable<RouteAction>?
  /// The other routes, which decide in the layer.
  let deciding: RouteTable<RouteAction>
  /// The routes that are not final, if the layer has final ones.
  ///
  /// After a final `allow` they choose the application.
  let belowFinal: RouteTable<RouteAction>?
  /// The routes that do not unwrap URLs, all and those that are not final, if the layer has routes that do.
  private let withoutUnwrapping: (all: RouteTable<RouteAction>, belowFinal: RouteTable<RouteAction>?)?
  /// The routes that decide for a caller that names a target, if a route that is not final would rewrite the URL.
  let forTarget: RoutesForTarget
  /// The patterns of the routes with the condition `target = "installed"`.
  private let installedPatterns: [RoutePattern]
  /// The file with which the administrator disables the layer, which then has no routes; `nil` if it is enabled.
  public let lockedBy: String?
  /// The invalid rules that may forbid URLs.
  public let gaps: [RouteGap]

  /// Creates a layer of `owner`'s routes.
  public init(owner: Owner, table: RouteTable<RouteAction>, gaps: [RouteGap] = [], lockedBy: String? = nil) {
    self.owner = owner
    self.lockedBy = lockedBy
    self.table = table
    let cleaning =
      table.routes.contains { $0.rank == .cleaning } ? table.filter { $0.rank == .cleaning } : nil
    self.cleaning = cleaning
    let unwraps = cleaning?.routes.contains(where: \.action.unwraps) == true
    cleaningWithoutUnwrapping = unwraps ? cleaning?.filter { !$0.action.unwraps } : nil
    deciding = cleaning == nil ? table : table.filter { $0.rank != .cleaning }
    let hasFinal = deciding.routes.contains { $0.rank == .finalAdministrator }
    belowFinal = hasFinal ? deciding.filter { $0.rank != .finalAdministrator } : nil
    withoutUnwrapping = deciding.withoutUnwrapping.map { table in
      (table, hasFinal ? table.filter { $0.rank != .finalAdministrator } : nil)
    }
    forTarget = RoutesForTarget(of: deciding)
    installedPatterns =
      table.conditionNames.contains { InstalledTarget(conditionName: $0) != nil }
      ? table.routes.filter { $0.conditions.contains { InstalledTarget(conditionName: $0.name) != nil } }
        .flatMap(\.patterns) : []
    self.gaps = gaps
  }

  /// Returns the routes of `rank` that decide a URL, without those that clean it before.
  ///
  /// - Parameter unwraps: Whether the routes that unwrap URLs, and final routes that clean them, are among them.
  func table(of rank: PolicyLayer, unwraps: Bool) -> RouteTable<RouteAction> {
    let isBelowFinal = rank == .administrator
    guard !unwraps, let withoutUnwrapping else { return isBelowFinal ? belowFinal ?? deciding : deciding }
    return isBelowFinal ? withoutUnwrapping.belowFinal ?? withoutUnwrapping.all : withoutUnwrapping.all
  }

  /// A Boolean value that indicates whether a route asks what is installed.
  var asksWhatIsInstalled: Bool { !installedPatterns.isEmpty }

  /// Returns whether a route that may match a URL asks what is installed, so that its decision may read files.
  func asksWhatIsInstalled(for authority: URLAuthority) -> Bool {
    installedPatterns.contains { $0.mayMatch(authority) }
  }
}

extension RouteLayer.Owner {
  /// Returns the policy layer of this owner's routes.
  func rank(isFinal: Bool) -> PolicyLayer {
    switch self {
    case .user: .user
    case .administrator: isFinal ? .finalAdministrator : .administrator
    case .vendor: .vendor
    }
  }
}
