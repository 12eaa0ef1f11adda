public import Freedesktop
public import RouteTables

/// The rules of this desktop at one moment, and the decision by them.
///
/// Pure but for reading the desktop's files through the resolver: no bus, no process, no clock.
public struct Broker: Sendable {
  private let layers: [RouteLayer]
  private let resolver: SchemeResolver
  private let programs: ProgramSearch

  /// A broker that decides by `layers`, in their order, and then by the desktop's own files.
  public init(layers: [RouteLayer], resolver: SchemeResolver, programs: ProgramSearch) {
    self.layers = layers
    self.resolver = resolver
    self.programs = programs
  }

  /// Decides what becomes of one URL of a request.
  public func decide(_ url: URLString, of request: OpenRequest) -> Decision {
    var steps: [ExplanationStep] = []
    let verdict = verdict(url, request, &steps)
    switch verdict {
    case .deliver(let target): steps.append(.init(.verdict, "\(target.id) opens it"))
    case .refuse(let refusal): steps.append(.init(.verdict, refusal.description))
    }
    return Decision(verdict: verdict, explanation: steps)
  }

  private func verdict(
    _ url: URLString, _ request: OpenRequest, _ steps: inout [ExplanationStep]
  ) -> Decision.Verdict {
    guard request.hops <= OpenRequest.maximumHops else { return .refuse(.loop(hops: request.hops)) }
    if request.source.assurance == .sandbox, url.scheme == "file" {
      return .refuse(.denied(reason: "a sandboxed application may not open local files by their path"))
    }
    if let target = request.target {
      steps.append(.init(.request, "the caller asks for \(target)"))
      return asked(for: target, url, request, &steps)
    }
    for layer in layers {
      if let verdict = decide(url, by: layer, &steps) { return verdict }
    }
    return resolve(url, &steps)
  }

  private func asked(
    for id: ApplicationID, _ url: URLString, _ request: OpenRequest, _ steps: inout [ExplanationStep]
  ) -> Decision.Verdict {
    let verdict = application(id, &steps)
    guard case .deliver(let target) = verdict, request.source.assurance == .sandbox,
      !target.entry.schemes.contains(url.scheme)
    else { return verdict }
    return .refuse(
      .denied(
        reason: "a sandboxed application may ask \(id) only for what it opens, which \(url.scheme): is not"))
  }

  private func application(_ id: ApplicationID, _ steps: inout [ExplanationStep]) -> Decision.Verdict {
    guard id != .usherHandler else {
      return .refuse(.noApplication(id.rawValue, reason: "that is Usher itself, which opens nothing"))
    }
    let (entry, refused) = resolver.catalog.load(id, programs: programs)
    for (location, refusal) in refused {
      steps.append(.init(.candidate, "\(location.path) is passed over: \(refusal)"))
    }
    guard let entry, !entry.isHidden else {
      guard let (location, refusal) = refused.first else {
        return .refuse(.noApplication(id.rawValue, reason: "it is not installed"))
      }
      let reason = "\(location.path): \(refusal)"
      return .refuse(
        refusal.isAboutProgram
          ? .noProgram(id.rawValue, reason: reason) : .noApplication(id.rawValue, reason: reason))
    }
    return .deliver(TargetApplication(id: id, entry: entry))
  }

  private func decide(
    _ url: URLString, by layer: RouteLayer, _ steps: inout [ExplanationStep]
  ) -> Decision.Verdict? {
    do throws(RouteTableError) {
      guard let match = try layer.table.match(url.text) else {
        if !layer.table.routes.isEmpty {
          steps.append(.init(.routes, "no route of the \(layer.owner.rawValue) matches"))
        }
        return nil
      }
      let name = "the \(layer.owner.rawValue)'s route “\(match.route.id)” (\(match.route.location))"
      return carryOut(match.action, of: name, &steps)
    } catch {
      steps.append(
        .init(
          .routes, "the \(layer.owner.rawValue)'s routes cannot take the URL, its scheme decides: \(error)"))
      guard layer.couldRefuse(scheme: url.scheme) else { return nil }
      return .refuse(
        .denied(reason: "a rule for \(url.scheme): could hold, and the URL cannot be read to tell: \(error)"))
    }
  }

  private func carryOut(
    _ action: RouteAction, of route: String, _ steps: inout [ExplanationStep]
  ) -> Decision.Verdict? {
    switch action {
    case .open(let application):
      steps.append(.init(.routes, "\(route) opens it with \(application)"))
      guard let id = ApplicationID(application) else {
        return .refuse(.noApplication(application, reason: "that is no desktop-file ID"))
      }
      return self.application(id, &steps)
    case .deny(let reason):
      steps.append(.init(.routes, "\(route) denies it: \(reason)"))
      return .refuse(.denied(reason: reason))
    case .allow:
      steps.append(.init(.routes, "\(route) allows it"))
      return nil
    case .handler:
      // Handlers are an application's own business; in the broker's folders such a route decides nothing.
      steps.append(.init(.routes, "\(route) names a handler inside an application and decides nothing here"))
      return nil
    case .perform, .exec, .rewrite, .ask:
      steps.append(.init(.routes, "\(route) wants what this version does not carry out"))
      return .refuse(.denied(reason: "\(route) wants what this version of Usher does not carry out"))
    }
  }

  private func resolve(_ url: URLString, _ steps: inout [ExplanationStep]) -> Decision.Verdict {
    guard let scheme = URLScheme(url.scheme) else { return .refuse(.noHandler(scheme: url.scheme)) }
    // Without ourselves: we are what the desktop's files name so that links come here.
    let resolution = resolver.resolve(scheme, excluding: [.usherHandler])
    steps += resolution.candidates.map { .init(.candidate, "\($0)") }
    steps += resolution.complaints.map { .init(.candidate, "\($0)") }
    guard let entry = resolution.application, let id = entry.id else {
      return .refuse(resolution.firstWithoutProgram ?? .noHandler(scheme: scheme.rawValue))
    }
    return .deliver(TargetApplication(id: id, entry: entry))
  }
}

extension RouteLayer {
  /// Whether a route of this layer that refuses could hold for a URL of `scheme` that cannot be read.
  func couldRefuse(scheme: String) -> Bool {
    table.routes.contains { route in
      switch route.action {
      case .deny, .ask: route.patterns.contains { $0.mayMatch(scheme: scheme) }
      default: false
      }
    }
  }
}

extension Resolution {
  /// The first application that is registered and only lacks its program: its absence is what to tell.
  fileprivate var firstWithoutProgram: Refusal? {
    for candidate in candidates {
      guard case .unusable(let refused) = candidate.verdict,
        let first = refused.first(where: { $0.refusal.isAboutProgram })
      else { continue }
      let id = ApplicationID(candidate.name)?.rawValue ?? candidate.name
      return .noProgram(id, reason: "\(first.path): \(first.refusal)")
    }
    return nil
  }
}

extension EntryRefusal {
  /// Whether all that is missing is the program.
  fileprivate var isAboutProgram: Bool {
    switch self {
    case .programNotFound, .tryExecNotFound: true
    default: false
    }
  }
}
