/// What a person did for a request, as far as the broker knows.
public enum UserActivation: String, CaseIterable, Sendable {
  /// Clicked or pressed something: an activation token came along, from a caller outside a sandbox.
  case clicked
  /// Was asked about this very request, and allowed it.
  case allowed
}
