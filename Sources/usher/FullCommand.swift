import Glibc

/// The program that has all of the command.
enum FullCommand {
  /// Becomes it, for the same call; ends the process where it is not there.
  ///
  /// - Parameter word: tells it what has been done about the call already, before all words, where nobody types one.
  static func become(after word: String? = nil) -> Never {
    // The words as they came, which need not be UTF-8.
    var words = Array(UnsafeBufferPointer(start: CommandLine.unsafeArgv, count: Int(CommandLine.argc)))
    if let word { words.insert(strdup(word), at: 0) }
    words.append(nil)
    let places = places
    // Returns only where it fails.
    for place in places { execv(place, words) }
    var message =
      "usher: a part of Usher is missing, usher-command (looked for as \(places.joined(separator: ", ")))\n"
    _ = message.withUTF8 { write(STDERR_FILENO, $0.baseAddress, $0.count) }
    exit(1)
  }

  /// Where the installed program is, and the one that was built beside this.
  private static var places: [String] {
    var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
    let count = readlink("/proc/self/exe", &buffer, buffer.count - 1)
    guard count > 0 else { return [] }
    let own = String(decoding: buffer[..<count].map { UInt8(bitPattern: $0) }, as: UTF8.self)
    let directory = own.prefix(upTo: own.lastIndex(of: "/") ?? own.startIndex)
    return ["\(directory)/../libexec/usher/usher-command", "\(directory)/usher-command"]
  }
}
