// SPDX-License-Identifier: Apache-2.0
import Freedesktop
import RouteFiles
import RouteTables

/// The state of the system on which the doctor's checks are based, read once before they run.
struct SystemSnapshot {
  let directories: BaseDirectories
  let programs: ProgramSearch
  /// The registrations of the user.
  let registration: Registration
  /// The schemes that any list names.
  let handlers: [SchemeHandler]
  /// All entries that handle or are named for a scheme, and Usher's own, including hidden ones of the same ID.
  let entries: [ScannedEntry]
  /// The user's entries that hide the system's, except copies that registrations maintain.
  let shadows: [EntryShadow]
  /// The existing lists of the user and of the machine.
  let lists: [ScannedList]
  /// The existing applications directories, highest precedence first.
  let scannedDirectories: [ScannedDirectory]
  /// The directories that cannot be read.
  let unreadable: [Unreadable]
  /// The user's entries that Usher manages.
  let managedEntries: [ManagedEntry]
  /// The existing originals of the managed entries, by path.
  let originals: [String: KeyFile]
  /// The registered schemes of the user's list, with their applications.
  let registered: [RegisteredScheme]
  /// The schemes for which another desktop's list names a different application.
  let differences: [DesktopAnswer]
  /// The remains of an interrupted registration.
  let leftOvers: [String]
  /// All activation files, highest precedence first.
  let services: [ActivationFile]
  let bus: BusStatus
  let notifications: NotificationStatus
  let remote: RemoteStatus
  /// The choices in the portal's permission store.
  let portal: PortalChoices
  /// The schemes for which such a choice precedes the desktop's default.
  let portalOverrides: [PortalOverride]
  /// The temporary entries of schemes that other machines have registered.
  let machineSchemes: [MachineScheme]
  /// The broker's decisions for the registered schemes.
  let brokerComparisons: [BrokerComparison]
  let activation: [ActivationFile]
  /// The unit file beside the program of the activation file, which the user manager may not search; `nil` if there is none.
  let unitFile: String?
  /// The data directory of this program, with an activation file, if the bus does not search it; otherwise `nil`.
  let unsearchedData: String?
  /// The diagnostics of lock files and route files.
  let routeDiagnostics: [RouteFileDiagnostic]
  /// The paths that look like route files and are not read.
  let skippedRouteFiles: [String]
  /// The routes of the user and of the administrator whose application is not installed, with its ID.
  let routesWithoutApplication: [(route: Route<RouteAction>, application: String)]
  /// The applications that a route lets open its links.
  let routeTargets: Set<ApplicationID>
  /// The administrator's final routes.
  let finalRoutes: [Route<RouteAction>]
  /// The administrator's locks.
  let locks: Locks
  /// The damaged databases that were moved aside.
  let setAside: [String]

  /// The entries with the ID of Usher's own.
  var handlerEntries: [ScannedEntry] { entries.filter { $0.id == .usherHandler } }
  /// The effective entries, without Usher's own.
  var applications: [ScannedEntry] { entries.filter { !$0.isShadowed && $0.id != .usherHandler } }
}
