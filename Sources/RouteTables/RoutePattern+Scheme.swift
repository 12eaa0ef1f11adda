extension RoutePattern {
  /// Whether some URL of `scheme`, in lower case, could match: the pattern names this scheme or none.
  public func mayMatch(scheme: String) -> Bool { self.scheme == nil || self.scheme == scheme }
}
