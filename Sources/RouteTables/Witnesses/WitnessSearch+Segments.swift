// SPDX-License-Identifier: Apache-2.0
extension WitnessSearch {
  /// Returns whether a URL may match although one set reads a text as a host and another as a segment.
  ///
  /// If all sets read it as a segment, they also match the URL without slashes, so that case needs no check.
  mutating func mayMixHosts(_ languages: inout LanguageInterner) -> Bool {
    let joined = included.filter { $0.opening == .joinedPath }.map(\.path)
    let others = included.filter { $0.opening != .joinedPath }
    guard !joined.isEmpty, !others.isEmpty else { return false }
    let paths = others.map(\.path)
    // The authority is an additional first segment, or the only segment if no path follows it.
    var ways = [paths.map { $0.after(.language(LanguageInterner.anyText)) }]
    if paths.allSatisfy({ $0.takes([[]], languages) }) {
      ways.append([ComponentSequence([.language(LanguageInterner.anyText)])])
    }
    // A `..` removes the segment of the authority. Sets without a host of their own also match that path without slashes.
    if others.contains(where: { $0.opening == .host }) { ways.append(paths) }
    for way in ways {
      var search = SequenceSearch(joined + way, rivals: [], .rooted)
      var budget = Self.budget
      let isMixed = search.run(&languages, &budget)?.isEmpty != true
      hostSteps += Self.budget - budget
      if isMixed { return true }
    }
    return false
  }
}
