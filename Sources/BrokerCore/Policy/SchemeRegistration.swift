// SPDX-License-Identifier: Apache-2.0
public import Freedesktop

/// The request of a program on another machine to receive the links of a scheme while it is connected.
///
/// It is also the question whether the user allows this. Equal questions share one answer, which is not stored.
public struct SchemeRegistration: Hashable, Sendable, CustomStringConvertible {
  /// The maximum number of schemes that one machine has at a time.
  public static let maximumCount = 8

  /// The scheme.
  public let scheme: URLScheme
  /// The machine.
  public let machine: RemoteMachine

  /// Creates the registration of a scheme for a machine.
  public init(of scheme: URLScheme, for machine: RemoteMachine) {
    self.scheme = scheme
    self.machine = machine
  }

  /// Creates the registration of a scheme, given as text in any case; `nil` if the text is not a scheme.
  public init?(of text: String, for machine: RemoteMachine) {
    guard let scheme = URLScheme(text) else { return nil }
    self.init(of: scheme, for: machine)
  }

  /// The scheme as text, in lower case.
  public var schemeName: String { scheme.rawValue }
  /// The bus name to which links of the scheme are delivered, which is also the ID of ``entry``.
  public var busName: String { entry.id.rawValue }
  /// The path of the object with `org.usher.Application1`.
  public var objectPath: String { entry.id.objectPath }

  /// Returns whether a URL has the scheme.
  public func covers(_ url: String) -> Bool { URLScheme(of: url) == scheme }

  /// The temporary desktop entry.
  public var entry: RemoteEntry { RemoteEntry(scheme: scheme, machine: machine.name) }

  /// The question in one sentence.
  public var description: String { "\(machine.title) wants to open \(scheme): links" }

  /// The reason why no machine may register the scheme, whatever the policy is, as a sentence; `nil` if machines may, with the consent of the user.
  public var refusal: String? {
    Self.refusal(of: scheme).map { "\(machine) may not register \(scheme): \($0)" }
  }

  /// Returns the reason why no machine may register a scheme, as a clause; `nil` if machines may, with the consent of the user.
  ///
  /// A scheme of an application of its own is a reverse domain name (RFC 7595, section 3.8; RFC 8252, section 7.1).
  static func refusal(of scheme: URLScheme) -> String? {
    let labels = scheme.rawValue.split(separator: ".", omittingEmptySubsequences: false)
    guard labels.count > 1, labels.allSatisfy({ !$0.isEmpty }) else {
      return
        "another machine may only open links of a scheme that is a reverse domain name, such as com.example.tool"
    }
    return scheme.refusal
  }
}
