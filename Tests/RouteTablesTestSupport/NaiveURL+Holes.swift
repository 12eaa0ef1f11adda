// SPDX-License-Identifier: Apache-2.0
extension NaiveURL {
  /// Returns the URL of a variant with these texts in its captures, and the first alternative of each choice.
  ///
  /// `nil` if a capture has no text, if a text has no capture, and if the variant does not fix the host.
  static func filled(_ shape: NaiveShape, _ texts: [String: [String]]) -> NaiveURL? {
    // Nothing says what scheme it has.
    guard shape.leastLabels == nil, shape.pattern.scheme != nil || shape.pattern.isRooted else { return nil }
    var filling = Filling(texts: texts)
    var url = NaiveURL()
    let pattern = shape.pattern
    url.scheme = pattern.scheme
    url.isRooted = pattern.isRooted
    if pattern.hasHost {
      url.labels = filling.places(shape.labels)
      url.user = pattern.user.map { filling.pieces($0) }
      if case .number(let port) = pattern.port { url.port = port }
    }
    url.segments = filling.places(shape.segments)
    for (key, test) in pattern.query {
      switch test {
      case .absent: continue
      case .present: url.query.append((key, nil))
      case .value(let pieces): url.query.append((key, filling.pieces(pieces)))
      case .list(let name, _, let isOptional):
        for text in filling.texts(name, isOptional: isOptional) { url.query.append((key, text)) }
      case .optional(let name, _, _):
        for text in filling.texts(name, isOptional: true) { url.query.append((key, text)) }
      }
    }
    switch pattern.fragment {
    case .value(let pieces)?: url.fragment = filling.pieces(pieces)
    case .optional(let name, _, _)?: url.fragment = filling.texts(name, isOptional: true).first
    default: break
    }
    guard filling.isComplete else { return nil }
    let before = url.segments
    let labels = url.labels
    url.settle()
    // A value that changes when written has no URL.
    return url.segments == before && url.labels == labels ? url : nil
  }

  private struct Filling {
    let texts: [String: [String]]
    private var filled: Set<String> = []
    private var isWanting = false

    init(texts: [String: [String]]) { self.texts = texts }

    var isComplete: Bool { !isWanting && filled.count == texts.count }

    mutating func texts(_ name: String, isOptional: Bool) -> [String] {
      guard let own = texts[name] else {
        isWanting = isWanting || !isOptional
        return []
      }
      filled.insert(name)
      return own
    }

    mutating func pieces(_ pieces: [NaivePattern.Piece]) -> String {
      pieces.map { piece in
        switch piece {
        case .text(let text): text
        case .choice(let texts): texts.first ?? ""
        case .hole(let name, _): texts(name, isOptional: false).first ?? ""
        }
      }.joined()
    }

    mutating func places(_ places: [NaivePattern.ComponentMatcher]) -> [String] {
      var found: [String] = []
      for place in places {
        switch place {
        case .one(let own): found.append(pieces(own))
        case .rest(let name, _, _): found += texts(name, isOptional: false)
        case .optional: break
        }
      }
      return found
    }
  }
}

extension NaivePattern {
  /// A Boolean value that is `true` if the alternatives of a choice differ in their numbers of segments or labels.
  var hasSplitChoice: Bool {
    (labels + segments).contains { place in
      guard case .one(let pieces) = place else { return false }
      return pieces.contains { piece in
        if case .choice(let texts) = piece {
          texts.contains { $0.contains("/") || $0.contains(".") }
        } else {
          false
        }
      }
    }
  }
}
