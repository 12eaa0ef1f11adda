// SPDX-License-Identifier: Apache-2.0
import Freedesktop

/// The identity to which the broker counts a request for quotas, rate limits and turns.
///
/// It outlives connections, and processes too if the kernel or systemd identifies the caller beyond its process: a
/// caller that reconnects or restarts itself keeps its identity. Two programs of one application are one caller if they
/// run in one unit or one sandbox.
public struct ChargedCaller: Hashable, Sendable, CustomStringConvertible {
  /// The identity as text, which is only compared.
  public let text: String
  /// The identity as text.
  public var description: String { text }

  /// Creates a caller that is identified by `text`.
  public init(_ text: String) { self.text = text }

  /// The shared identity of all callers whose credentials could not be read.
  ///
  /// It is shared because a program that exits before it is inspected must not count as a new caller each time.
  public static let unidentified = ChargedCaller("unidentified callers")
  /// The shared identity of all sandboxed callers without a known sandbox name.
  ///
  /// It is shared because a caller inside a sandbox can create any number of processes.
  public static let unnamedSandboxes = ChargedCaller("sandboxes without a name")

  /// Creates the identity from credentials: the application of a verified sandbox, otherwise the unit, otherwise the program.
  ///
  /// For interpreters and openers it is the process.
  public init(_ facts: CallerCredentials?) {
    guard let facts else {
      self = .unidentified
      return
    }
    if let machine = facts.machine {
      self.init("machine \(machine)")
    } else if let application = facts.certainSandbox {
      self.init("sandbox of \(application)")
    } else if let unit = facts.group?.userUnit {
      self.init(unit)
    } else if facts.mayBeSandboxed {
      self = .unnamedSandboxes
    } else {
      self = facts.scope.map(ChargedCaller.init) ?? .unidentified
    }
  }
}

extension CallerCredentials {
  /// The application of the sandbox, if Flatpak or the kernel confirms it.
  fileprivate var certainSandbox: String? {
    if case .flatpak(let info, isConfirmed: true) = confinement { return info.application?.rawValue }
    if let (snap, isEnforced) = confiningSnap, isEnforced { return snap?.instance }
    return nil
  }
}
