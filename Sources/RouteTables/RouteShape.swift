/// One way in which a route can match: today each of its patterns is one.
///
/// Precedence is between shapes. What the tree of the index cannot order is ordered here: shapes that agree from
/// the scheme to the end of the path.
struct RouteShape: Sendable {
  /// What the first value of a query key, or the fragment, must be.
  enum Test: Hashable, Sendable {
    case literal([UInt8])
    case type(RouteType)
    /// Being there is enough.
    case present

    init(_ part: RoutePattern.Part?) {
      switch part {
      case .literal(let bytes)?: self = .literal(bytes)
      case .capture(let capture)?: self = capture.type == .string ? .present : .type(capture.type)
      case nil: self = .present
      }
    }

    /// 0 for the narrowest.
    var rank: Int {
      switch self {
      case .literal: 0
      case .type: 1
      case .present: 2
      }
    }
  }

  /// The index of the route in its table, and of the pattern in the route.
  let route: Int
  let pattern: Int
  /// The keys a query must have, and what their first values must be.
  let predicates: [(key: SymbolTable.Symbol, test: Test)]
  /// What the fragment must be; `nil` if it does not matter.
  let fragment: Test?
  /// Orders the shapes of one node, the narrower first.
  let precedence: [Int]

  init(_ pattern: RoutePattern, route: Int, index: Int, symbols: inout SymbolTable) {
    self.route = route
    self.pattern = index
    var predicates: [(SymbolTable.Symbol, Test)] = []
    for item in pattern.query where item.isRequired {
      predicates.append((symbols.intern(item.key), Test(item.value)))
    }
    self.predicates = predicates
    fragment = pattern.requiredFragment.map { Test($0) }
    // A proper subset has more required keys or, with the same keys, more narrow ones: the order keeps inclusion.
    precedence = [
      -predicates.count, -predicates.count { $0.1.rank == 0 }, -predicates.count { $0.1.rank == 1 },
      fragment?.rank ?? 3,
    ]
  }
}

extension RoutePattern {
  /// The fragment, where it selects.
  var requiredFragment: Part? { fragment?.capture?.isOptional == true ? nil : fragment }

  /// What the pattern matches, without the names: equal keys, equal languages.
  ///
  /// With `merging`, `int` and `uint` are taken for one: then equal keys have URLs in common.
  func shapeKey(mergingIntegers merging: Bool) -> [UInt8] {
    let key = selecting.text { capture in
      switch capture.type {
      case .string: "{}"
      case .int: merging ? "{:n}" : "{:int}"
      case .uint: merging ? "{:n}" : "{:uint}"
      }
    }
    return Array(key.utf8)
  }

  /// A URL, or a bare path, that the pattern matches.
  var witness: String {
    let text = selecting.text { $0.type == .string ? "x" : "7" }
    var witness = ""
    var scalars = text.unicodeScalars.makeIterator()
    while let scalar = scalars.next() {
      // Literal braces are doubled, and captures are gone.
      if scalar == "{" || scalar == "}" { _ = scalars.next() }
      witness.unicodeScalars.append(scalar)
    }
    return witness
  }

  /// The pattern without what never selects, its query in one order.
  private var selecting: RoutePattern {
    var copy = self
    copy.fragment = requiredFragment
    copy.query = query.filter(\.isRequired).sorted { $0.key.lexicographicallyPrecedes($1.key) }
    for index in copy.query.indices where copy.query[index].value?.capture?.type == .string {
      copy.query[index].value = nil
    }
    return copy
  }
}
