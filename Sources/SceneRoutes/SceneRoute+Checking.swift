import RouteTables

extension RouteTableBuilder {
  /// Adds a route whose patterns fit its method.
  mutating func add<Receiver>(
    _ route: SceneRoute<Receiver>, types: [RouteType], options: RouteOptions
  ) throws(SceneRoutesError) where Action == SceneRoute<Receiver> {
    var reason: SceneRoutesError.Reason?
    do throws(RouteTableError) {
      var patterns: [RoutePattern] = []
      for text in route.patterns {
        let pattern = try RoutePattern(text, types: types, options: options)
        if reason == nil { reason = try route.misfit(of: pattern, written: text) }
        patterns.append(pattern)
      }
      if reason == nil {
        try add(
          patterns, id: route.id, action: route, at: route.location, when: route.routeConditions(),
          winsOver: route.winsOver)
      }
    } catch {
      reason = .table(error)
    }
    if let reason { throw SceneRoutesError(reason, route: route.id, at: route.location) }
  }
}

extension SceneRoute {
  /// The conditions, one of each name: all of those that have it hold.
  fileprivate func routeConditions() throws(RouteTableError) -> [RouteCondition] {
    var languages: [String: RouteLanguage] = [:]
    for condition in conditions {
      let condition = try condition.routeCondition
      let others = languages[condition.name]
      languages[condition.name] =
        if let others { try others.intersection(condition.language) } else { condition.language }
    }
    return languages.map { RouteCondition($0.key, $0.value) }
  }

  /// Whether it has more than a method: what a route file says itself.
  var saysWhen: Bool { !patterns.isEmpty || !conditions.isEmpty || !winsOver.isEmpty }

  /// Why a route file's pattern does not fit; `nil` if it does.
  func misfit(of pattern: RoutePattern) -> SceneRoutesError.Reason? {
    do { return try misfit(of: pattern, written: pattern.description) } catch { return .table(error) }
  }

  /// Why the arguments cannot be made of what the pattern captures; `nil` if they can.
  fileprivate func misfit(
    of pattern: RoutePattern, written text: String
  ) throws(RouteTableError) -> SceneRoutesError.Reason? {
    var forms: [RouteArgumentForm] = []
    for argument in arguments {
      let form = try argument.namedForm
      if form.extent != .request { forms.append(form) }
    }
    guard forms.count == pattern.captures.count else {
      return .captures(
        pattern: text, captures: pattern.captures.map(\.written), arguments: forms.map(\.typeName))
    }
    for (capture, form) in zip(pattern.captures, forms) {
      if let mismatch = form.mismatch(with: capture) {
        return .argument(pattern: text, capture: capture.written, type: form.typeName, mismatch)
      }
    }
    return nil
  }
}

extension RouteArgument {
  fileprivate static var namedForm: RouteArgumentForm {
    get throws(RouteTableError) { try RouteArgumentForm(of: Self.self) }
  }
}

extension RouteArgumentForm {
  fileprivate func mismatch(with capture: RouteCapture) -> SceneRoutesError.Mismatch? {
    switch (extent, capture.extent) {
    case (.single, .rest), (.single, .list): return .takesSeveral
    case (.several, .single): return .takesOne
    default: break
    }
    if !type.takesAll(of: capture.type) {
      return .type(
        text: type.firstRefused(of: capture.type),
        write: capture.written(as: type.name))
    }
    let mayBeAbsent = capture.isOptional && capture.defaultValue == nil
    return mayBeAbsent && !isOptional && extent == .single ? .mayBeAbsent : nil
  }
}

extension RouteType {
  fileprivate func takesAll(of other: RouteType) -> Bool {
    language == RouteType.string.language || other.language.isSubset(of: language)
  }

  /// The shortest text of `other` that this type does not take, an empty one only where there is nothing else.
  fileprivate func firstRefused(of other: RouteType) -> String? {
    guard let refused = try? other.language.subtracting(language) else { return nil }
    let texts = try? refused.intersection(RouteLanguage(".+"))
    return texts?.shortestText ?? refused.shortestText
  }
}

extension RouteCapture {
  /// The capture as a pattern writes it.
  fileprivate var written: String { written(as: type == .string ? nil : type.name) }

  fileprivate func written(as type: String?) -> String {
    let sign =
      switch extent {
      case .single: ""
      case .rest: "..."
      case .list: "*"
      }
    let end = defaultValue.map { "=\($0)" } ?? (isOptional ? "?" : "")
    return "{\(name)\(type.map { ":\($0)" } ?? "")\(sign)\(end)}"
  }
}
