// SPDX-License-Identifier: Apache-2.0
public import Freedesktop

/// The reliability of a source's identification, weakest first.
public enum Assurance: String, CaseIterable, Comparable, Sendable {
  /// The source is unidentified.
  case unknown
  /// The caller claims to be this application.
  case claimed
  /// The caller's program belongs to exactly one application.
  case executable
  /// The caller's systemd unit is named after the application.
  case unit
  /// The kernel confines the caller to the application's sandbox.
  case sandbox

  /// Orders by strength.
  public static func < (left: Self, right: Self) -> Bool { left.strength < right.strength }
  private var strength: Int { Self.allCases.firstIndex(of: self) ?? 0 }
}

/// The source application of a request, with the reliability of its identification.
public struct SourceApplication: Hashable, Sendable {
  /// The application; `nil` if `assurance` is `unknown`.
  public let id: ApplicationID?
  /// The reliability of the identification.
  public let assurance: Assurance
  /// The intermediary that hides the real source, such as the portal; `nil` if there is none.
  public let via: ApplicationID?
  /// A Boolean value that indicates whether the source may be sandboxed, so that it has fewer permissions.
  ///
  /// It is `true` unless the source is certainly outside a sandbox. It is independent of `assurance`: a sandbox may not
  /// reveal the application in it, and the name of the application may come from a source that is not trusted.
  public private(set) var mayBeSandboxed: Bool
  /// The machine from which the request came through a relay; `nil` for a program here.
  ///
  /// A request from another machine has no source application, and is treated as sandboxed.
  public private(set) var machine: RemoteMachine?
  private var isInstalledBySystem = false

  /// Creates a source with the given assurance; it is sandboxed if that is `sandbox`.
  public init(_ id: ApplicationID, _ assurance: Assurance) {
    self.init(id, assurance, via: nil, mayBeSandboxed: assurance == .sandbox)
  }

  /// Creates a source from its stored parts, of which an invalid one counts as missing.
  ///
  /// A machine takes precedence over an application, and an application over the intermediary that hides another.
  public init(id: String?, assurance: String?, via: String?, machine: String?, isSandboxed: Bool) {
    if let machine = machine.flatMap({ RemoteMachine($0) }) {
      self = .remote(machine)
      return
    }
    var source = via.flatMap { ApplicationID(rawValue: $0) }.map(Self.hidden(by:)) ?? .unknown
    if let id = id.flatMap({ ApplicationID(rawValue: $0) }), let assurance = assurance.flatMap(Assurance.init)
    {
      source = SourceApplication(id, assurance)
    }
    self = isSandboxed ? source.sandboxed : source
  }

  private init(_ id: ApplicationID?, _ assurance: Assurance, via: ApplicationID?, mayBeSandboxed: Bool) {
    self.id = id
    self.assurance = assurance
    self.via = via
    self.mayBeSandboxed = mayBeSandboxed
  }

  /// The source marked as possibly sandboxed.
  public var sandboxed: SourceApplication {
    var source = self
    source.mayBeSandboxed = true
    return source
  }

  /// The owner of the application's installation: `user` if that was not checked; `nil` if `assurance` is `unknown`.
  public var installedBy: Installation.Owner? {
    guard id != nil else { return nil }
    return isInstalledBySystem ? .system : .user
  }

  /// Returns the source with the given owner of its installation.
  ///
  /// The owner stays `user` for a source that is only claimed, because no entry verified it.
  public func installed(by owner: Installation.Owner) -> SourceApplication {
    var source = self
    source.isInstalledBySystem = owner == .system && id != nil && assurance >= .executable
    return source
  }

  /// Returns the application whose sandbox the source is in, with the assurance of the source, which may be a part of it.
  public func inSandbox(of id: ApplicationID) -> SourceApplication {
    SourceApplication(id, assurance).sandboxed
  }

  /// An unidentified source outside a sandbox.
  public static let unknown = SourceApplication(nil, .unknown, via: nil, mayBeSandboxed: false)

  /// An unidentified source that may be sandboxed.
  public static let unseen = unknown.sandboxed

  /// Returns the source of requests from another machine.
  public static func remote(_ machine: RemoteMachine) -> SourceApplication {
    var source = unseen
    source.machine = machine
    return source
  }

  /// Returns an unidentified source behind an intermediary.
  public static func hidden(by middleman: ApplicationID) -> SourceApplication {
    SourceApplication(nil, .unknown, via: middleman, mayBeSandboxed: false)
  }
}

extension SourceApplication: CustomStringConvertible {
  /// The application and the assurance, such as `org.example.Chat (unit)`; `-` replaces the ID of an unidentified source.
  public var description: String {
    let behind = via.map { ", behind \($0)" } ?? machine.map { ", \($0.place)" } ?? ""
    let box = mayBeSandboxed && assurance != .sandbox ? ", treated as sandboxed" : ""
    return "\(id?.rawValue ?? "-") (\(assurance.rawValue)\(behind)\(box))"
  }
}
