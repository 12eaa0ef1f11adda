// SPDX-License-Identifier: Apache-2.0
import RegularLanguages

/// Examples of URLs near the borders of a rule, for its tests.
enum SampleURLs {
  struct Sample {
    let text: String
    let isWeb: Bool
  }

  static func urls(for matcher: ConvertedMatcher) -> [Sample] {
    var texts: [String] = []
    for item in matcher.shapes.prefix(4) {
      for text in urls(of: item.shape) where !texts.contains(text) && isURL(text) { texts.append(text) }
    }
    if matcher.isAll { texts = ["https://example.net/one", "http://example.net/"] }
    return texts.map { Sample(text: $0, isWeb: true) }
      + matcher.schemes.map { Sample(text: "\($0)://example.net/one", isWeb: $0 == "https" || $0 == "http") }
  }

  /// Returns whether a host with more labels is one, which it is not for an address.
  private static func isURL(_ text: String) -> Bool { WebURLLanguage.all?.contains(text) ?? true }

  private static func urls(of shape: URLShape) -> [String] {
    let host = host(of: shape)
    let (plain, long) = (path(of: shape, isLong: false), path(of: shape, isLong: true))
    let port: String = if case .number(let number) = shape.port { ":" + number } else { "" }
    let query = query(of: shape)
    let other = shape.scheme == "https" ? "http" : "https"
    let more = query.isEmpty ? "?q=1" : query + "&q=1"
    var texts = [
      "\(shape.scheme)://\(host)\(port)\(plain)\(query)",
      "\(shape.scheme)://\(host)\(port)\(long)\(more)#top",
      "\(other)://\(host)\(port)\(plain)\(query)", "\(shape.scheme)://\(host):8443\(plain)\(query)",
      "\(shape.scheme)://www.\(host)\(port)\(plain)\(query)",
      "\(shape.scheme)://not\(host)\(port)\(plain)\(query)",
      "\(shape.scheme)://\(host).example.net\(port)\(plain)\(query)",
    ]
    if plain != "/" {
      texts += [
        "\(shape.scheme)://\(host)\(port)/", "\(shape.scheme)://\(host)\(port)\(plain.uppercased())\(query)",
      ]
    }
    return texts
  }

  private static func host(of shape: URLShape) -> String {
    let labels = shape.labels.map { label in
      switch label {
      case .literal(let text): text
      case .any: "name"
      case .expression(let expression): shortest(expression, WebURLLanguage.labelScalars) ?? "name"
      }
    }
    let host = labels.joined(separator: ".")
    guard shape.hasSubdomains else { return host }
    return labels.isEmpty ? "www.example.net" : "sub." + host
  }

  private static func path(of shape: URLShape, isLong: Bool) -> String {
    let parts = shape.path.compactMap { part -> String? in
      switch part {
      case .literal(let text): text
      case .any: "item"
      case .beginning(let text): text + "x"
      case .expression(let expression): shortest(expression, WebURLLanguage.segmentScalars) ?? "item"
      case .some: isLong ? "one/two" : "one"
      case .rest: isLong ? "one/two" : nil
      }
    }
    return "/" + parts.joined(separator: "/")
  }

  private static func query(of shape: URLShape) -> String {
    guard !shape.query.isEmpty else { return "" }
    return "?"
      + shape.query.map { item in
        switch item.value {
        case nil: item.key
        case .literal(let text)?: "\(item.key)=\(text)"
        case .any?: "\(item.key)=1"
        case .expression(let expression)?:
          "\(item.key)=\(shortest(expression, WebURLLanguage.segmentScalars) ?? "1")"
        }
      }.joined(separator: "&")
  }

  private static func shortest(_ expression: TextExpression, _ scalars: ScalarSet) -> String? {
    guard let wanted = try? RegularLanguage(expression.expression),
      let allowed = try? RegularLanguage(.repetition(.set(scalars), min: 1, max: nil))
    else { return nil }
    return wanted.commonText(with: allowed)
  }
}
