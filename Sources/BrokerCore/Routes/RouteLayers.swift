// SPDX-License-Identifier: Apache-2.0
import RouteTables

/// The layers of routes in their order, which decide a URL by the first route whose action has a result.
struct RouteLayers: Sendable {
  /// Carries out the action of a route that wins; returns `nil` if the routes after it decide.
  typealias Action = (
    _ found: MatchedRoute, _ consent: inout Consent, _ trace: inout DecisionTrace
  ) -> PassResult?

  let layers: [RouteLayer]
  let conditions: RouteConditionValues

  /// One visit to a layer of routes with a URL of a request.
  private struct Visit {
    let layer: RouteLayer
    let rank: PolicyLayer
    /// The routes of the layer that are compared with the URL.
    let table: RouteTable<RouteAction>
    let normalized: NormalizedURL
    let request: OpenRequest
  }

  /// Returns the result of the first route that decides a URL; `nil` if no route does.
  ///
  /// The layers follow each other in this order: final routes of the administrator, routes of all files that clean URLs, routes of the
  /// user, of the administrator, and of the vendors. After an `allow`, the later layers only choose the application that opens the
  /// URL.
  func decide(
    _ normalized: NormalizedURL, request: OpenRequest, consent: inout Consent,
    _ trace: inout DecisionTrace, carryOut: Action
  ) -> PassResult? {
    let explanations = explanations(of: normalized, request, &trace)
    for rank in PolicyLayer.allCases {
      guard rank != .cleaning else {
        if let result = byCleaning(normalized, request: request, &trace, carryOut: carryOut) { return result }
        continue
      }
      guard let layer = layers.first(where: { $0.owner.rank(isFinal: rank == .finalAdministrator) == rank })
      else { continue }
      if let file = layer.lockedBy {
        trace.note(.routes, "\(layer.whose) routes are disabled by \(file)")
        continue
      }
      if let refusal = layer.refusal(byGapOf: rank, normalized: normalized, consent: consent, &trace) {
        return .verdict(.refuse(refusal))
      }
      let table = layer.table(of: rank, unwraps: !request.state.ignoresUnwrapping)
      guard !table.routes.isEmpty else { continue }
      let visit = Visit(layer: layer, rank: rank, table: table, normalized: normalized, request: request)
      do throws(RouteTableError) {
        guard let found = try winner(of: visit, &trace) else {
          if rank != .finalAdministrator { noteNoMatch(of: visit, explanations, &trace) }
          continue
        }
        // The whole table of the administrator contains final and other routes; the winner decides to which visit the
        // match belongs.
        guard (found.route.rank == .finalAdministrator) == (rank == .finalAdministrator) else { continue }
        let result = result(
          ofWinner: found, of: visit, explanations, consent: &consent, &trace, carryOut: carryOut)
        if let result { return result }
      } catch {
        if let refusal = byUnreadable(visit, because: error, consent: &consent, &trace) {
          return .verdict(.refuse(refusal))
        }
      }
    }
    return nil
  }

  /// Returns the route that wins a visit, or `nil` if none matches.
  private func winner(
    of visit: Visit, _ trace: inout DecisionTrace
  ) throws(RouteTableError) -> RouteMatch<RouteAction>? {
    let (normalized, request) = (visit.normalized, visit.request)
    let found = try conditions.match(normalized, request, in: visit.table)
    if let found, let target = request.target, visit.rank != .finalAdministrator, found.action.rewrites {
      trace.note(
        .routes,
        "\(visit.layer.whose) route “\(found.route.id)” (\(found.route.location)) does not rewrite it, because the caller requested \(target)"
      )
      // The URL itself is opened, so a broader route that denies it decides, as if no route rewrote it.
      return try conditions.match(normalized, request, in: visit.layer.forTarget.table)
    }
    guard let found, case .wrapped(let reason)? = found.rewriting(of: normalized.original, source: nil) else {
      return found
    }
    trace.note(
      .routes,
      "\(visit.layer.whose) route “\(found.route.id)” (\(found.route.location)) does not unwrap it, because \(reason)"
    )
    // Otherwise the author of a link could use the route to avoid a broader one of its layer that denies.
    return try conditions.match(normalized, request, in: visit.layer.table(of: visit.rank, unwraps: false))
  }

  /// Applies the routes of a visit to a URL that they cannot parse, by its scheme and host; returns the rejection if one may forbid it.
  private func byUnreadable(
    _ visit: Visit, because error: RouteTableError, consent: inout Consent, _ trace: inout DecisionTrace
  ) -> Refusal? {
    let (normalized, request, table) = (visit.normalized, visit.request, visit.table)
    let values = conditions.values(of: normalized.original, request, for: table)
    let verified = request.withoutUnverifiedClaims.map {
      conditions.values(of: normalized.original, $0, for: table)
    }
    // The administrator's layer is visited twice. The first visit already rejected the URL if a route may forbid it, unless a
    // route preceded that one there which the second visit leaves out.
    let isSecond = visit.rank == .administrator
    if !isSecond || !consent.isGiven {
      if case .uncertainHost(let reason) = error.reason {
        trace.note(.routes, "\(visit.layer.whose) routes cannot compare the host: \(reason)")
        return .unreadable(reason: reason)
      }
      if !isSecond {
        trace.note(
          .routes,
          "\(visit.layer.whose) routes cannot parse the URL, so only its scheme and host are compared: \(error)"
        )
      }
      if let route = table.forbiddingUnreadable(
        normalized.compared, normalized.authority, when: values, verified: verified)
      {
        return .denied(
          reason:
            "\(visit.layer.whose) route “\(route.id)” (\(route.location)) may forbid the link, which cannot be parsed: \(error)"
        )
      }
    }
    // Of the two visits to the administrator's layer, only the second applies an `allow`.
    if visit.rank != .finalAdministrator,
      let route = table.allowingUnreadable(
        normalized.compared, normalized.authority, when: values, verified: verified)
    {
      trace.note(
        .routes,
        "\(visit.layer.whose) route “\(route.id)” (\(route.location)) allows it, as every URL of the scheme")
      consent = Consent(isGiven: true, isCallerAuthorized: true)
    }
    return nil
  }

  /// Adds to the explanation that no route of a visit matches, and which ones nearly do.
  private func noteNoMatch(of visit: Visit, _ explanations: LayerExplanations?, _ trace: inout DecisionTrace)
  {
    let owner = visit.layer.owner
    trace.note(.routes, "no route of the \(owner.rawValue) matches")
    guard let explanations else { return }
    for line in explanations.nearMisses(in: owner) { trace.note(.routes, line) }
    trace.routes += explanations.routesNearlyMatching(in: owner)
  }

  /// Carries out the action of the route that wins a visit, and explains why it wins.
  private func result(
    ofWinner found: RouteMatch<RouteAction>, of visit: Visit, _ explanations: LayerExplanations?,
    consent: inout Consent, _ trace: inout DecisionTrace, carryOut: Action
  ) -> PassResult? {
    let (layer, normalized, request) = (visit.layer, visit.normalized, visit.request)
    let kind = found.route.rank == .finalAdministrator ? "final route" : "route"
    let other = normalized.reading(of: found)
    if let other {
      let reading = other.url.host.map { ", which makes the host \($0)" } ?? ""
      trace.note(.request, "\(other.reader)\(reading), so routes that deny or ask compare that too")
    }
    // The reasons are computed for the whole table and the written URL, so they do not apply to the table without
    // final routes, to another reading, or behind a route without effect.
    let isWholeTable = visit.rank != .administrator || layer.belowFinal == nil
    let isSelected = explanations?.selects(found.route, in: layer.owner) ?? false
    let own = isWholeTable && other == nil && isSelected ? explanations : nil
    let (tellsWhy, wasAllowed) = (trace.tellsWhy, consent.isGiven)
    let route = MatchedRoute(
      match: found, title: "\(visit.layer.whose) \(kind) “\(found.route.id)”",
      reasons: own?.reasons(in: layer.owner) ?? [], normalized: normalized, request: request)
    let result = carryOut(route, &consent, &trace)
    if tellsWhy, result != nil || consent.isGiven != wasAllowed, !route.isOverridden {
      trace.decides(found, over: own?.routesBeside(winnerIn: layer.owner) ?? [])
    }
    return result
  }

  /// Returns the explanations of all layers for a URL, or `nil` if the decision does not record reasons.
  ///
  /// The result is also `nil` for a caller that may be sandboxed, because the hidden parts of a URL would reveal which
  /// routes exist.
  private func explanations(
    of normalized: NormalizedURL, _ request: OpenRequest, _ trace: inout DecisionTrace
  ) -> LayerExplanations? {
    guard trace.tellsWhy, !request.caller.source.mayBeSandboxed else { return nil }
    let explanations = LayerExplanations(normalized.url.text, of: normalized.original.text, layers) {
      conditions.values(of: normalized.original, request, for: $0)
    }
    if trace.shownURL == nil { trace.shownURL = explanations.url }
    trace.hidesPart = explanations.hidesPart
    for note in explanations.notes { trace.note(.request, note) }
    return explanations
  }

  /// Returns the URL that a route of any layer makes of `url` before other routes decide; `nil` if none does.
  ///
  /// The first route of the first layer decides; it may also keep the URL as it is. What cannot be unwrapped is left to the others.
  private func byCleaning(
    _ normalized: NormalizedURL, request: OpenRequest, _ trace: inout DecisionTrace, carryOut: Action
  ) -> PassResult? {
    // The application that a caller names gets the URL as the caller sent it.
    guard request.target == nil, !request.state.ignoresUnwrapping else { return nil }
    for layer in layers where layer.lockedBy == nil {
      for table in [layer.cleaning, layer.cleaningWithoutUnwrapping].compactMap(\.self) {
        // A URL that cannot be read is left to the routes that may forbid it.
        guard let found = try? conditions.match(normalized, request, in: table) else { break }
        let route = MatchedRoute(
          match: found, title: "\(layer.whose) route “\(found.route.id)”",
          normalized: normalized, request: request)
        // A route that cleans URLs authorizes no caller.
        var consent = Consent()
        let tellsWhy = trace.tellsWhy
        if let result = carryOut(route, &consent, &trace) {
          if tellsWhy { trace.decides(found, over: []) }
          return result
        }
        if case .unchanged? = found.rewriting(of: normalized.original, source: nil) { return nil }
      }
    }
    return nil
  }
}

extension RouteLayer {
  /// The owner of the routes in explanations, such as “the user's”.
  fileprivate var whose: String { "the \(owner.rawValue)'s" }

  /// Returns the rejection of a URL that an invalid rule of `rank` may forbid; `nil` if there is no such rule.
  ///
  /// Adds the location of that rule to the explanation.
  fileprivate func refusal(
    byGapOf rank: PolicyLayer, normalized: NormalizedURL, consent: Consent, _ trace: inout DecisionTrace
  ) -> Refusal? {
    let isFinal = rank == .finalAdministrator
    guard isFinal || !consent.isGiven,
      let gap = gaps.first(where: {
        $0.isFinal == isFinal && $0.mayCover(normalized.compared, normalized.authority)
      })
    else { return nil }
    trace.note(
      .routes, "a rule of the \(owner.rawValue) with an error may forbid it (\(gap.location))")
    return .denied(reason: gap.reason)
  }
}
