import Glibc

/// The complete command, `usher-command`.
enum FullCommand {
  /// Executes it with the same arguments; exits with an error if it is missing.
  ///
  /// - Parameter word: an option that reports the work done so far; it precedes argument zero, where a user cannot
  ///   pass one.
  static func become(after word: String? = nil) -> Never {
    // The raw arguments, because they need not be UTF-8.
    var words = Array(UnsafeBufferPointer(start: CommandLine.unsafeArgv, count: Int(CommandLine.argc)))
    if let word { words.insert(strdup(word), at: 0) }
    words.append(nil)
    let places = places
    // `execv` returns only on failure.
    for place in places { execv(place, words) }
    var message =
      "usher: Usher is not installed completely: usher-command is missing (expected at \(places.joined(separator: ", ")))\n"
    _ = message.withUTF8 { write(STDERR_FILENO, $0.baseAddress, $0.count) }
    exit(1)
  }

  /// The paths of the installed program, and of the one that was built beside this.
  private static var places: [String] {
    var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
    let count = readlink("/proc/self/exe", &buffer, buffer.count - 1)
    guard count > 0 else { return [] }
    let own = String(decoding: buffer[..<count].map { UInt8(bitPattern: $0) }, as: UTF8.self)
    let directory = own.prefix(upTo: own.lastIndex(of: "/") ?? own.startIndex)
    return ["\(directory)/../libexec/usher/usher-command", "\(directory)/usher-command"]
  }
}
