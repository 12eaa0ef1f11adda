extension WitnessSearch {
  /// Whether one class sees a host where another sees a segment, and both could take the same: what all see as segments, they take
  /// without slashes, too.
  func mayMixHosts(_ languages: inout LanguageInterner) -> Bool {
    let joined = included.filter { $0.opening == .joinedPath }.map(\.path)
    let others = included.filter { $0.opening != .joinedPath }
    guard !joined.isEmpty, !others.isEmpty else { return false }
    let paths = others.map(\.path)
    // What stands in front of the path is a segment more; without a slash behind it, it is the only one.
    var ways = [paths.map { $0.after(.language(LanguageInterner.anyText)) }]
    if paths.allSatisfy({ $0.takes([[]], languages) }) {
      ways.append([ComponentSequence([.language(LanguageInterner.anyText)])])
    }
    // `..` takes it away. What has no host of its own takes that without slashes, too.
    if others.contains(where: { $0.opening == .host }) { ways.append(paths) }
    return ways.contains { way in
      var search = SequenceSearch(joined + way, rivals: [], .rooted)
      var budget = Self.budget
      return search.run(&languages, &budget)?.isEmpty != true
    }
  }
}
