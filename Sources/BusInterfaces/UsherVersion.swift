/// The version of Usher: of its programs and of the interfaces they speak.
public enum UsherVersion {
  /// As `0.1.0` (semver.org).
  public static let text = "0.1.0"
}
