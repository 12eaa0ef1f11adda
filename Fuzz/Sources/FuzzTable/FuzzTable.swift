// SPDX-License-Identifier: Apache-2.0
internal import Fuzzing
internal import RouteTables

/// The first byte is the options.
///
/// Then follow routes, one per line, an empty line, and URLs, one per line.
@_cdecl("LLVMFuzzerTestOneInput")
func fuzzTable(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let input = FuzzInput(start, count)
  guard let first = input.bytes.first else { return 0 }
  let lines = input.bytes.dropFirst().split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    .map { String(decoding: $0, as: UTF8.self) }
  let options = PatternCheck.options(first)
  let routes = lines.prefix { !$0.isEmpty }.prefix(12).compactMap { FuzzRoute(line: $0, options) }
  guard !routes.isEmpty, let check = try? TableCheck(routes, comparesPairs: true) else { return 0 }
  for url in lines.drop(while: { !$0.isEmpty }).dropFirst().prefix(6) { check.match(url) }
  return 0
}
