/// A capture as a pattern declares it: `{name:type?}`, `{name:type=value}`, `{name...}` or `{name*}`.
///
/// ```swift
/// let page = try RoutePattern("/list/{page:uint=1}").captures.first
/// page?.name           // "page"
/// page?.isOptional     // true
/// page?.defaultValue   // "1"
/// ```
public struct RouteCapture: Hashable, Sendable {
  /// How many texts the capture takes.
  public enum Extent: Hashable, Sendable {
    /// `{x}`: one, or a part of one.
    case single
    /// `{x...}`: one or more segments, or host labels.
    case rest
    /// `{x*}`: the values of a query key, one or more.
    case list
  }

  /// The name by which a match gives the value.
  public let name: String
  /// The texts it takes; of a rest and a list, each of them.
  public let type: RouteType
  /// How many texts it takes.
  public let extent: Extent
  /// Whether it may be absent: `{x?}` and `{x=v}`.
  public let isOptional: Bool
  /// What an absent value reads as: the `v` of `{x=v}`.
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
