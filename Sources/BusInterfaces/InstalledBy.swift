/// Who can change what is installed of an application: its desktop entry, the program that it runs, and the directories above both.
public enum InstalledBy: String, CaseIterable, Sendable {
  /// Root alone.
  case system
  /// Others as well, or that cannot be checked.
  case user
}
