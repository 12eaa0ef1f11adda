// SPDX-License-Identifier: Apache-2.0
package import RouteTables
import Synchronization

/// The routes of a layer that decide after a caller has named a target in place of a rewrite: those that neither are final nor rewrite URLs.
///
/// The table is built when a request first needs it, because few callers name a target, and a large table takes milliseconds.
final class RoutesForTarget: Sendable {
  private let deciding: RouteTable<RouteAction>
  private let known = Mutex<RouteTable<RouteAction>?>(nil)

  /// Creates the routes of a layer whose routes are `deciding`.
  init(of deciding: RouteTable<RouteAction>) { self.deciding = deciding }

  /// The routes.
  var table: RouteTable<RouteAction> {
    known.withLock { known in
      if let known { return known }
      let table = deciding.filter { $0.rank != .finalAdministrator && !$0.action.rewrites }
      known = table
      return table
    }
  }
}

extension RouteAction {
  /// A Boolean value that indicates whether the action replaces the URL.
  package var rewrites: Bool {
    if case .rewrite = self { true } else { false }
  }
}
