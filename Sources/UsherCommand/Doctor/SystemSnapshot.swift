import Freedesktop
import RouteFiles

/// Everything that the doctor's checks go by, read once and before any of them decides.
struct SystemSnapshot {
  let directories: BaseDirectories
  let programs: ProgramSearch
  /// The schemes that any list names.
  let handlers: [SchemeHandler]
  /// The entries that have a scheme or are named for one, and Usher's own; all places of each ID.
  let entries: [ScannedEntry]
  /// The user's entries that hide the system's, but for copies of these that registrations keep in step.
  let shadows: [EntryShadow]
  /// The lists that are there, of the user and of the machine.
  let lists: [ScannedList]
  /// The applications folders that are there, most important first.
  let scannedDirectories: [ScannedDirectory]
  /// Folders that cannot be read.
  let unreadable: [Unreadable]
  /// The user's entries in which something is ours.
  let stamped: [ManagedEntry]
  /// Those of their originals that are there.
  let originals: [String: KeyFile]
  /// Who was registered with us for what, as the user's list says.
  let registered: [RegisteredScheme]
  /// Where another desktop opens one of them otherwise.
  let differences: [DesktopDifference]
  /// What a killed registration left.
  let leftOvers: [String]
  /// All activation files, most important first.
  let services: [ActivationFile]
  let bus: BusStatus
  /// What the broker makes of the registered schemes.
  let brokerViews: [BrokerComparison]
  let activation: [ActivationFile]
  /// Where `usherd` is; `nil` when it is not on the `PATH`.
  let daemon: String?
  /// What is wrong with lock files and route files.
  let routeDiagnostics: [RouteFileDiagnostic]
  /// What the administrator has switched off.
  let locks: Locks
  /// Damaged databases of ours that were set aside.
  let setAside: [String]

  /// Those of Usher's own entry.
  var handlerEntries: [ScannedEntry] { entries.filter { $0.id == .usherHandler } }
  /// The entries that count for their ID, without Usher's own.
  var applications: [ScannedEntry] { entries.filter { !$0.isShadowed && $0.id != .usherHandler } }
}
