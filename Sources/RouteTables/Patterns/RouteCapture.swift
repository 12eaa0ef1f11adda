// SPDX-License-Identifier: Apache-2.0
/// A capture as declared in a pattern: `{name:type?}`, `{name:type=value}`, `{name...}` or `{name*}`.
///
/// ```swift
/// let page = try RoutePattern("/list/{page:uint=1}").captures.first
/// page?.name           // "page"
/// page?.isOptional     // true
/// page?.defaultValue   // "1"
/// ```
public struct RouteCapture: Hashable, Sendable {
  /// The number of texts that a capture matches.
  public enum Extent: Hashable, Sendable {
    /// `{x}`: one text, or a part of one.
    case single
    /// `{x...}`: one or more segments or host labels.
    case rest
    /// `{x*}`: one or more values of a query key.
    case list
  }

  /// The name under which a match returns the value.
  public let name: String
  /// The type of the text; for a catch-all or a list, of each text.
  public let type: RouteType
  /// The number of texts that the capture matches.
  public let extent: Extent
  /// Indicates whether the capture may be absent: `{x?}` or `{x=v}`.
  public let isOptional: Bool
  /// The value of an absent capture, `v` in `{x=v}`; `nil` if there is no default.
  public let defaultValue: String?

  init(
    name: String, type: RouteType, extent: Extent = .single, isOptional: Bool = false,
    defaultValue: String? = nil
  ) {
    self.name = name
    self.type = type
    self.extent = extent
    self.isOptional = isOptional || defaultValue != nil
    self.defaultValue = defaultValue
  }
}

extension RouteCapture {
  /// The bytes of the default, by which defaults are compared: equal strings may have different bytes, and then make different URLs.
  package var defaultBytes: [UInt8]? { defaultValue.map { Array($0.utf8) } }

  /// Returns whether two captures are equal; their defaults are compared by bytes, as URLs are.
  public static func == (left: RouteCapture, right: RouteCapture) -> Bool {
    left.name == right.name && left.type == right.type && left.extent == right.extent
      && left.isOptional == right.isOptional && left.defaultBytes == right.defaultBytes
  }

  /// Hashes the name, the type and the bytes of the default.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(name)
    hasher.combine(type)
    hasher.combine(defaultBytes)
  }
}
