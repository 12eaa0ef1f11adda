// SPDX-License-Identifier: Apache-2.0
public import Freedesktop

/// The application that receives a request, as its desktop entry describes it.
public struct TargetApplication: Hashable, Sendable {
  /// The desktop-file ID.
  public let id: ApplicationID
  /// The desktop entry.
  public let entry: DesktopEntry
  /// The ID of the action to perform; `nil` to open URLs.
  public var desktopAction: String?
  /// The ID of the application whose program is started: the browser's own ID if `id` also names a profile or a kind of window.
  public let programID: ApplicationID
  /// A Boolean value that indicates whether the entry declares that the application accepts envelopes (`Implements=org.usher.Application1;`).
  public let takesEnvelopes: Bool

  /// Creates the application of an entry.
  ///
  /// - Parameter programID: The ID of the application whose program is started; `nil` if it is `id`.
  public init(
    id: ApplicationID, entry: DesktopEntry, desktopAction: String? = nil, programID: ApplicationID? = nil
  ) {
    self.id = id
    self.programID = programID ?? id
    self.entry = entry
    self.desktopAction = desktopAction
    takesEnvelopes = entry.implements.contains("org.usher.Application1")
  }

  /// The other machine that has registered the scheme, for a target that is a program there; `nil` for an application of this desktop.
  public var machine: RemoteMachine? { RemoteMachine(registering: entry) }

  /// A Boolean value that indicates whether the bus can start the application and it accepts `org.freedesktop.Application` calls.
  public var isDBusActivatable: Bool { entry.isDBusActivatable && id.busName != nil }

  /// A Boolean value that indicates whether the entry says that the application accepts calls on the bus.
  ///
  /// If it does not, and another program owns its name, the application is started as if its name had no owner.
  public var expectsCalls: Bool { takesEnvelopes || isDBusActivatable }

  /// The title of the application, or its ID if the entry has no name.
  public var title: String { entry.name() ?? id.rawValue }
}

extension TargetApplication {
  /// The remark on a delivery to an instance that does not serve the interface of envelopes; `nil` if its entry does not
  /// declare the interface.
  public var remarkOnMissingInterface: String? {
    takesEnvelopes ? "\(id) declares org.usher.Application1, but \(id.objectPath) does not serve it" : nil
  }
}

/// A strategy for delivering a request.
public enum DeliveryStrategy: Hashable, Sendable {
  /// Calls `Application1.Deliver`, otherwise `Application.Open`, on the running instance.
  case signal
  /// Has the bus start the application, then calls it.
  case activate
  /// Starts the program without a URL, then calls it.
  case launchAndSignal
  /// Runs the Exec line with the URLs.
  case execute
}

extension DeliveryStrategy {
  /// A Boolean value that indicates whether the strategy starts a program, which counts against the caller's rate.
  public var startsProgram: Bool { self != .signal }
}

extension TargetApplication {
  /// Returns the strategies in the order in which the broker tries them.
  ///
  /// The broker tries the next strategy only if the previous one certainly delivered nothing. A running instance that
  /// accepts no calls gets the URL through its Exec line, and its program forwards it to the instance, as with every
  /// launcher. An action with its own Exec line runs it, unless the application accepts envelopes, which contain the
  /// action.
  public func approaches(isRunning: Bool, performing action: String? = nil) -> [DeliveryStrategy] {
    // The Exec line of such an entry leads to the broker.
    if id.isOfOtherMachine { return isRunning ? [.signal] : [] }
    guard id.busName != nil else { return [.execute] }
    if let action, !takesEnvelopes, entry.action(action)?.exec != nil { return [.execute] }
    if isRunning { return [.signal, .execute] }
    var approaches: [DeliveryStrategy] = []
    if isDBusActivatable { approaches.append(.activate) }
    approaches.append(takesEnvelopes ? .launchAndSignal : .execute)
    return approaches
  }
}

extension TargetApplication {
  /// Returns the strategies for a request that starts nothing: only a running instance receives it.
  public func approachesWithoutLaunch(isRunning: Bool) -> [DeliveryStrategy] {
    isRunning && id.busName != nil ? [.signal] : []
  }

  /// The reason why the application cannot receive a request that starts nothing.
  public var refusalWithoutLaunch: String {
    "no running instance of \(id) accepts the request, and the caller asked that nothing is started (launch is false)"
  }
}

extension TargetApplication {
  /// The reason why a target on another machine cannot be reached; `nil` for an application of this desktop.
  public var refusalWithoutMachine: String? {
    machine.map {
      "the program \($0.location) that opens these links is not connected any more; start it there again"
    }
  }
}

extension TargetApplication {
  /// Returns whether the owner of this application's bus name may be in a sandbox that is not certainly the application's.
  ///
  /// A program in a sandbox can own every free name unless the sandbox filters the bus, and can claim any ID. The application's own
  /// sandbox is known by Flatpak, by Snap, or by the unit in which the application was started. A program outside a sandbox may own any
  /// name and run in any unit, such as that of a terminal, so nothing is certain about it.
  public func isImpostor(_ owner: SourceApplication) -> Bool {
    guard owner.mayBeSandboxed else { return false }
    guard owner.assurance >= .unit, let other = owner.id?.rawValue else { return true }
    let isSnap =
      entry["X-SnapInstanceName"].map { other.hasPrefix("\($0.replacing("_", with: "+"))_") } ?? false
    return other != id.rawValue && !id.rawValue.hasPrefix("\(other).") && entry["X-Flatpak"] != other
      && !isSnap
  }
}
