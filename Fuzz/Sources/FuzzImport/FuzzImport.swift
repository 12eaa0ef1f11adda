// SPDX-License-Identifier: Apache-2.0
internal import Fuzzing
internal import RouteFiles
internal import RouteImport
internal import RouteTables

/// The first line of the input is a format; the rest is a file of this format.
@_cdecl("LLVMFuzzerTestOneInput")
func fuzzImport(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let input = Array(FuzzInput(start, count).bytes)
  let parts = input.split(separator: 10, maxSplits: 1, omittingEmptySubsequences: false)
  let name = parts.first.map { String(decoding: $0, as: UTF8.self) } ?? ""
  guard parts.count > 1, let format = RouteImport.Format(rawValue: name) else { return 0 }
  let files = [RouteImport.File(name: "input", bytes: Array(parts[1]))]
  let lines = parts[1].count { $0 == 10 } + 1
  func check(_ location: SourceLocation) {
    promise(location.file == "input" && (1...lines).contains(location.line), "\(location) is in the file")
  }
  func read() throws(ImportError) -> RouteImport {
    try RouteImport(
      files, format: format, browsers: ["Safari": "epiphany", "us.zoom.xos": "Zoom"],
      applications: ["com.tinyspeck.slackmacgap": ["slack", "com.slack.Slack"]], ownBrowser: ["firefox"])
  }
  let imported: RouteImport
  do throws(ImportError) {
    imported = try read()
  } catch {
    if case .invalidFile(let location, _) = error { check(location) }
    return 0
  }
  for route in imported.routes { check(route.location) }
  for left in imported.leftOut {
    check(left.location)
    promise(!left.reason.isEmpty, "\(left) has a reason")
  }
  // The route file is valid, and its tests are the rules' own decisions.
  let routes = RouteFileSet([RouteFileSource(name: "routes.toml", text: imported.text)])
  promise(routes.diagnostics.isEmpty, "\(routes.diagnostics) in\n\(imported.text)")
  promise(routes.table.routes.count == imported.routes.count, "each route is in force")
  let failures = routes.runTests()
  promise(failures.isEmpty, "\(failures) in\n\(imported.text)")
  let again = try? read()
  promise(again?.text == imported.text, "equal files have equal routes")
  return 0
}
