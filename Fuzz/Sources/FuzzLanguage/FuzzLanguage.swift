// SPDX-License-Identifier: Apache-2.0
internal import RegularLanguages
internal import Fuzzing

/// The first two lines are regular expressions, the others texts: the computed relation of the two must hold for every text.
@_cdecl("LLVMFuzzerTestOneInput")
func fuzzLanguage(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let lines = FuzzInput(start, count).bytes.split(
    separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false
  )
  .map { String(decoding: $0, as: UTF8.self) }
  guard lines.count > 1, let one = try? RegularLanguage(lines[0]), let other = try? RegularLanguage(lines[1])
  else { return 0 }
  let relation = one.relation(to: other)
  let common = one.commonText(with: other)
  let nothing = relation == .disjoint || one.isEmpty || other.isEmpty
  promise((common == nil) == nothing, "\(relation), and \(common ?? "nothing") is in both")
  promise(one.isSubset(of: other) == (relation == .equal || relation == .narrower), "subset, and \(relation)")
  promise((one == other) == (relation == .equal), "== and \(relation)")
  let (both, difference) = (try? one.intersection(other), try? one.subtracting(other))
  if let difference { promise(difference.isEmpty == one.isSubset(of: other), "nothing is left of a subset") }
  for text in lines.dropFirst(2) + [common, one.shortestText, other.shortestText].compactMap({ $0 }) {
    let (inOne, inOther) = (one.contains(text), other.contains(text))
    switch relation {
    case .equal: promise(inOne == inOther, "equal, and not for \(text)")
    case .narrower: promise(!inOne || inOther, "subset, and not for \(text)")
    case .wider: promise(!inOther || inOne, "superset, and not for \(text)")
    case .disjoint: promise(!inOne || !inOther, "disjoint, and not for \(text)")
    case .crossing: break
    }
    if let both {
      promise(both.contains(text) == (inOne && inOther), "the intersection, and not for \(text)")
    }
    if let difference {
      promise(difference.contains(text) == (inOne && !inOther), "the difference, and not for \(text)")
    }
  }
  if let common { promise(one.contains(common) && other.contains(common), "\(common) is in both") }
  return 0
}
