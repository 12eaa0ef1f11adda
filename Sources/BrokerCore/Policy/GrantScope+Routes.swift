// SPDX-License-Identifier: Apache-2.0
import RegularLanguages
import Freedesktop
import RouteTables

extension GrantScope {
  /// The options of `usher grants` that name it, quoted for a shell.
  var options: String {
    if case .permission(let permission) = asker, let source {
      return "--permission \(permission.rawValue) \(ShellWord.quoted(source.rawValue))"
    }
    var route: String?
    if case .route(let asking) = asker { route = asking.name }
    let options = [
      source.map { ("--source", "\($0)") }, container.map { ("--container", "\($0.unit)") },
      machine.map { ("--remote", "\($0)") },
      origin.map { ("--origin", "\($0)") }, scheme.map { ("--scheme", "\($0)") },
      host.map { ("--host", "\($0)") }, route.map { ("--route", $0) },
    ]
    return options.compactMap(\.self).map { "\($0) \(ShellWord.quoted($1))" }.joined(separator: " ")
  }
}

extension GrantScope {
  /// The share of a grant's URLs that meet a condition.
  enum Meeting { case always, sometimes, never }

  /// Returns the share of the grant's URLs, from a source with at least `assurance`, that meets a condition of a route.
  func meets(_ condition: RouteCondition, _ assurance: Assurance) -> Meeting {
    func meeting(_ texts: [String]) -> Meeting {
      let count = texts.count { condition.language.contains($0) }
      return count == 0 ? .never : count == texts.count ? .always : .sometimes
    }
    switch condition.name {
    case RouteCondition.Name.source where container != nil || machine != nil: return meeting([""])
    case RouteCondition.Name.remote: return meeting([machine?.name ?? ""])
    case RouteCondition.Name.source: return source.map { meeting([$0.rawValue]) } ?? .sometimes
    case RouteCondition.Name.origin: return origin.map { meeting([$0.text]) } ?? .sometimes
    case RouteCondition.Name.sandboxed: return meeting([isSandboxed ? "yes" : ""])
    case RouteCondition.Name.assurance:
      guard source != nil else { return .sometimes }
      return meeting(Assurance.allCases.filter { $0 >= assurance }.map(\.rawValue))
    default: return .sometimes
    }
  }

  /// Returns whether a pattern may match the host of the grant, if it has one.
  func mayMatchHost(of pattern: RoutePattern) -> Bool {
    guard let host else { return true }
    let schemes = scheme.map { [$0] } ?? pattern.schemeNames
    return schemes.isEmpty
      || schemes.contains { scheme in
        (try? URLAuthority("\(scheme)://\(host)")).map(pattern.mayMatch) ?? true
      }
  }
}

extension GrantScope {
  /// Returns whether the rule of the scope may ask about a URL that the scope covers, from a source with at least `assurance`.
  func mayBeAsked(by layers: [RouteLayer], _ assurance: Assurance) -> Bool {
    if let scheme {
      let isRefused = SchemePolicy.refusal(of: scheme) != nil || isSandboxed && scheme == "file"
      guard !isRefused else { return false }
    }
    guard case .route(let asking) = asker else { return true }
    return layers.flatMap(\.table.routes).contains { route in
      PromptingRoute(route) == asking
        && route.patterns.contains { pattern in
          scheme.map(pattern.mayMatch(scheme:)) ?? true && mayMatchHost(of: pattern)
        }
        && route.conditions.allSatisfy { meets($0, assurance) != .never }
    }
  }

  /// Returns the administrator's final routes that deny URLs of the grant, and whether they certainly deny all of them.
  ///
  /// - Parameter assurance: The minimum assurance of the source of the grant.
  func finalDenials(
    by layers: [RouteLayer], _ assurance: Assurance
  ) -> (routes: [String], denyAll: Bool) {
    guard let scheme else { return ([], false) }
    let final = layers.flatMap(\.table.routes).filter { $0.rank == .finalAdministrator }
    let concerned = final.filter { route in
      route.patterns.contains { $0.mayMatch(scheme: scheme) && mayMatchHost(of: $0) }
        && route.conditions.allSatisfy { meets($0, assurance) != .never }
    }
    let denials = concerned.filter { if case .deny = $0.action { true } else { false } }
    let denyAll = denials.contains { route in
      // A denial precedes every other final route except those that name it in `wins_over`.
      let isWithoutException = concerned.allSatisfy { other in
        !other.winsOver.contains {
          $0 == "\(route.owner)/\(route.id)" || other.owner == route.owner && $0 == route.id
        }
      }
      return isWithoutException && route.conditions.allSatisfy { meets($0, assurance) == .always }
        && RoutePattern.cover(route.patterns, scheme: scheme)
    }
    return (denials.map { PromptingRoute($0).name }, denyAll)
  }
}
