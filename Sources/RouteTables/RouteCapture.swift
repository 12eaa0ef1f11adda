/// A capture as a pattern declares it: `{name:type?}` or `{name:type=value}`.
public struct RouteCapture: Hashable, Sendable {
  /// The name by which a match gives the value.
  public let name: String
  /// The texts it takes.
  public let type: RouteType
  /// Whether it binds when it can and never selects: `{x?}` and `{x=v}`.
  public let isOptional: Bool
  /// What an absent value reads as: the `v` of `{x=v}`.
  public let defaultValue: String?

  init(name: String, type: RouteType, isOptional: Bool = false, defaultValue: String? = nil) {
    self.name = name
    self.type = type
    self.isOptional = isOptional || defaultValue != nil
    self.defaultValue = defaultValue
  }
}
