// SPDX-License-Identifier: Apache-2.0
internal import Fuzzing
internal import RouteTables

/// The first byte is the options, the rest a pattern.
///
/// It is printed, parsed again, added to a table, and matched against
/// its own text, which is often a URL.
@_cdecl("LLVMFuzzerTestOneInput")
func fuzzPattern(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let input = FuzzInput(start, count)
  guard let first = input.bytes.first else { return 0 }
  let text = String(decoding: input.bytes.dropFirst(), as: UTF8.self)
  guard let pattern = PatternCheck.read(text, PatternCheck.options(first)) else { return 0 }
  if let check = try? TableCheck([FuzzRoute(pattern)]) { check.match(text) }
  return 0
}
