// SPDX-License-Identifier: Apache-2.0
import PercentEncoding

/// A request in the form of x-callback-url: `SCHEME://x-callback-url/ACTION?x-success=…&…`.
///
/// ```swift
/// var url = XCallbackURL(scheme: "notes", action: "create", parameters: [.init("text", "milk & honey")])
/// url.success = "shop://x-callback-url/created"
/// url.url   // "notes://x-callback-url/create?text=milk%20%26%20honey&x-success=shop%3A%2F%2F…"
/// ```
/// Names and values are stored decoded: `%26` is `&`, and `+` is a plus.
public struct XCallbackURL: Hashable, Sendable {
  /// The host that identifies such a URL.
  public static let host = "x-callback-url"

  /// A name and its value.
  public struct Parameter: Hashable, Sendable {
    /// The name.
    public let name: String
    /// The value.
    public let value: String
    /// Creates a parameter.
    public init(_ name: String, _ value: String) {
      self.name = name
      self.value = value
    }
  }

  /// The scheme, in lower case.
  public var scheme: String
  /// The action: the path, without its first slash.
  public var action: String
  /// `x-source`: the caller's name for itself, shown to users; it is not verified.
  public var source: String?
  /// `x-success`: the URL to open after success.
  public var success: String?
  /// `x-error`: the URL to open after a failure.
  public var error: String?
  /// `x-cancel`: the URL to open after the user has cancelled it.
  public var cancel: String?
  /// The action's own parameters, in order.
  public var parameters: [Parameter]

  /// Creates a request without callbacks.
  public init(scheme: String, action: String, parameters: [Parameter] = []) {
    self.scheme = scheme
    self.action = action
    self.parameters = parameters
  }

  /// Returns the value of the first parameter with this name; `nil` if there is none.
  public subscript(name: String) -> String? { parameters.first { $0.name == name }?.value }

  /// Indicates whether it has any callback.
  public var hasCallbacks: Bool { success != nil || error != nil || cancel != nil }

  /// Parses a URL; `nil` if it does not have this form.
  /// - Throws: ``MessageError`` with the name of the parameter: a callback that is not a URL or has one of the
  ///   ``forbiddenSchemes``, a repeated parameter, and text that is not percent-encoded UTF-8.
  public init?(_ url: String) throws(MessageError) {
    guard let parts = URLParts(url), parts.authority?.lowercased() == Self.host else { return nil }
    guard let action = PercentEncoding.decode(parts.path.drop { $0 == "/" }) else {
      throw MessageError(Self.notEncoded, at: "action")
    }
    self.init(scheme: parts.scheme.lowercased(), action: action)
    for parameter in try parts.parameters() {
      switch parameter.name {
      case "x-source": try Self.set(&source, parameter)
      case "x-success": try Self.set(&success, parameter, isCallback: true)
      case "x-error": try Self.set(&error, parameter, isCallback: true)
      case "x-cancel": try Self.set(&cancel, parameter, isCallback: true)
      default: parameters.append(parameter)
      }
    }
  }

  private static func set(
    _ place: inout String?, _ parameter: Parameter, isCallback: Bool = false
  ) throws(MessageError) {
    guard place == nil else { throw MessageError(.duplicateKey, at: parameter.name) }
    if isCallback { try checkCallback(parameter.value, at: parameter.name) }
    place = parameter.value
  }

  /// The complete URL.
  public var url: String {
    var all = parameters
    for (name, value) in [
      ("x-source", source), ("x-success", success), ("x-error", error), ("x-cancel", cancel),
    ] {
      if let value { all.append(Parameter(name, value)) }
    }
    let action = PercentEncoding.encode(action, keeping: "/")
    return Self.appending(all, to: "\(scheme)://\(Self.host)/\(action)")
  }

  /// Returns a URL with items appended to its query, before its fragment; the rest is unchanged.
  public static func appending(_ parameters: [Parameter], to url: String) -> String {
    guard !parameters.isEmpty else { return url }
    let items = parameters.map {
      "\(PercentEncoding.encode($0.name))=\(PercentEncoding.encode($0.value))"
    }.joined(separator: "&")
    // Scalars, because a combining mark after a delimiter would hide it among the characters.
    let end = url.unicodeScalars.firstIndex(of: "#") ?? url.endIndex
    let head = url[..<end]
    let separator =
      !head.unicodeScalars.contains("?") ? "?" : ["?", "&"].contains(head.unicodeScalars.last) ? "" : "&"
    return head + separator + items + url[end...]
  }

  static let notEncoded = MessageError.Reason.wrongValue(allowed: "percent-encoded UTF-8")
}
