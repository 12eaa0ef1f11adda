// SPDX-License-Identifier: Apache-2.0
internal import RouteAnalysis
internal import Fuzzing
internal import RouteFiles
internal import RouteTables

/// The input is the text of a route file.
@_cdecl("LLVMFuzzerTestOneInput")
func fuzzRouteFile(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let source = RouteFileSource(name: "input.toml", text: FuzzInput(start, count).text)
  let files = RouteFileSet([source])
  let diagnostics = files.diagnostics + files.runTests()
  for diagnostic in diagnostics {
    promise(
      diagnostic.location.file == "input.toml" && diagnostic.location.line > 0, "\(diagnostic) has a place")
    promise(!diagnostic.message.isEmpty, "a diagnostic has a message")
  }
  for finding in files.table.check(isStrict: true).findings {
    promise(finding.route.location.file == "input.toml", "\(finding) has a place")
  }
  let again = RouteFileSet([source])
  promise(again.diagnostics == files.diagnostics, "equal files have equal diagnostics")
  return 0
}
