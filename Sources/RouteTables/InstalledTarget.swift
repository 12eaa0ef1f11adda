// SPDX-License-Identifier: Apache-2.0
/// A program or application whose installation the condition `target = "installed"` of a route tests.
///
/// The condition has the name ``conditionName``, so that each route tests its own target, and the value `installed`.
public enum InstalledTarget: Hashable, Sendable {
  /// The application with this desktop-file ID.
  case application(String)
  /// The browser with this ID, or any browser of the family with this name.
  case browser(String)
  /// An application other than Usher that handles the URLs of this scheme.
  case handler(scheme: String)
  /// The program with this name or path.
  case program(String)
  /// The application that the caller names, or that would open the URL if there were no routes.
  case opener

  /// The value of the condition if the target is installed.
  public static let value = "installed"
  private static let prefix = "installed-target"

  /// Creates the target that a condition of this name tests; `nil` if it is a condition on another property.
  public init?(conditionName name: String) {
    guard name.hasPrefix(Self.prefix) else { return nil }
    let parts = name.split(separator: ":", maxSplits: 2, omittingEmptySubsequences: false).map(String.init)
    guard parts[0] == Self.prefix else { return nil }
    switch (parts.count, parts.dropFirst().first) {
    case (1, _): self = .opener
    case (3, "application"): self = .application(parts[2])
    case (3, "browser"): self = .browser(parts[2])
    case (3, "scheme"): self = .handler(scheme: parts[2])
    case (3, "program"): self = .program(parts[2])
    default: return nil
    }
  }

  /// The name of the condition on this target.
  public var conditionName: String {
    switch self {
    case .application(let id): "\(Self.prefix):application:\(id)"
    case .browser(let name): "\(Self.prefix):browser:\(name)"
    case .handler(let scheme): "\(Self.prefix):scheme:\(scheme)"
    case .program(let name): "\(Self.prefix):program:\(name)"
    case .opener: Self.prefix
    }
  }

  /// Returns the target that a route with this action starts.
  ///
  /// An action that starts nothing, or whose application depends on the URL, has the target ``opener``.
  public static func target(of action: RouteAction?) -> InstalledTarget {
    switch action {
    case .open(let application), .perform(let application, _): .application(application)
    case .browse(let target): .browser(target.browser)
    case .exec(let argv): argv.first.map { .program($0.text) } ?? .opener
    case .rewrite(let template): template.scheme.map { .handler(scheme: $0) } ?? .opener
    case .ask, .allow, .deny, .handler, nil: .opener
    }
  }
}

extension InstalledTarget: CustomStringConvertible {
  /// The sentence about a target that is not installed.
  public var description: String {
    switch self {
    case .application(let id): "\(id) is not installed"
    case .browser(let name): "the browser \(name) is not installed"
    case .handler(let scheme): "no application opens \(scheme): links"
    case .program(let name): "the program \(name) is not installed"
    case .opener: "no application opens the link"
    }
  }
}
