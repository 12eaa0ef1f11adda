public import Freedesktop

/// The application that gets a request, as its desktop entry describes it.
public struct TargetApplication: Hashable, Sendable {
  /// Its desktop-file ID.
  public let id: ApplicationID
  /// Its desktop entry.
  public let entry: DesktopEntry
  /// The ID of the entry's action to perform, `nil` to open.
  public let desktopAction: String?
  /// Whether its entry says that it takes envelopes (`Implements=org.usher.Application1;`).
  public let takesEnvelopes: Bool

  /// The application of an entry.
  public init(id: ApplicationID, entry: DesktopEntry, desktopAction: String? = nil) {
    self.id = id
    self.entry = entry
    self.desktopAction = desktopAction
    takesEnvelopes = entry.implements.contains("org.usher.Application1")
  }

  /// Whether the bus starts it and it takes `org.freedesktop.Application` calls.
  public var isDBusActivatable: Bool { entry.isDBusActivatable && id.busName != nil }

  /// The name a person knows it by.
  public var title: String { entry.name() ?? id.rawValue }
}

/// One way to hand a request over.
public enum DeliveryStrategy: Hashable, Sendable {
  /// Call `Application1.Deliver`, else `Application.Open`, on the instance that runs.
  case signal
  /// Have the bus start it, then signal it.
  case activate
  /// Start its program without a URL, then signal it.
  case launchAndSignal
  /// Run its Exec line with the URLs.
  case execute
}

extension DeliveryStrategy {
  /// Whether it starts a program, which is charged to the caller.
  public var startsProgram: Bool { self != .signal }
}

extension TargetApplication {
  /// The ways to try, in order; the next one is tried only when one proves that nothing was delivered.
  ///
  /// A running instance that takes no calls gets the URL by its Exec line, and forwards it by its own
  /// single-instance means, as every launcher does it.
  ///
  /// An action that has an Exec line of its own is performed by it, as its author wrote it; an application that takes
  /// envelopes reads the action there.
  public func approaches(isRunning: Bool, performing action: String? = nil) -> [DeliveryStrategy] {
    guard id.busName != nil else { return [.execute] }
    if let action, !takesEnvelopes, entry.action(action)?.exec != nil { return [.execute] }
    if isRunning { return [.signal, .execute] }
    var approaches: [DeliveryStrategy] = []
    if isDBusActivatable { approaches.append(.activate) }
    approaches.append(takesEnvelopes ? .launchAndSignal : .execute)
    return approaches
  }
}

extension DesktopEntry {
  /// The action of this ID.
  public func action(_ id: String) -> Action? { actions().first { $0.id == id } }
}

extension TargetApplication {
  /// Whether whoever owns this application's name is certainly another one: in a sandbox that names another.
  ///
  /// A host program may take any name and be in any unit, also the right one in the wrong unit (a terminal's); of those
  /// nobody can say.
  public func isImpostor(_ owner: SourceApplication) -> Bool {
    guard owner.mayBeSandboxed, owner.assurance == .sandbox || owner.assurance == .claimed,
      let other = owner.id?.rawValue
    else { return false }
    let isSnap =
      entry["X-SnapInstanceName"].map { other.hasPrefix("\($0.replacing("_", with: "+"))_") } ?? false
    return other != id.rawValue && !id.rawValue.hasPrefix("\(other).") && entry["X-Flatpak"] != other
      && !isSnap
  }
}
