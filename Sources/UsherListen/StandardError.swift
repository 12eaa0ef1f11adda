import Glibc

/// What is said to whoever started us.
enum StandardError {
  /// Writes `usher listen: ` and what a person should know to standard error.
  static func warn(_ text: String) {
    let line = "usher listen: \(text)\n"
    write(STDERR_FILENO, line, line.utf8.count)
  }
}
