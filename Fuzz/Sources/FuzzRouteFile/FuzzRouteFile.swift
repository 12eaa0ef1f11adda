internal import Fuzzing
internal import RouteFiles
internal import RouteTables

/// The input is the text of a route file.
@_cdecl("LLVMFuzzerTestOneInput")
func fuzzRouteFile(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let source = RouteFileSource(name: "input.toml", text: FuzzInput(start, count).text)
  let files = RouteFileSet([source])
  let complaints = files.complaints + files.runTests()
  for complaint in complaints {
    promise(
      complaint.location.file == "input.toml" && complaint.location.line > 0, "\(complaint) has a place")
    promise(!complaint.message.isEmpty, "a complaint says something")
  }
  for finding in files.table.check(isStrict: true).findings {
    promise(finding.route.location.file == "input.toml", "\(finding) has a place")
  }
  let again = RouteFileSet([source])
  promise(again.complaints == files.complaints, "the same file, the same complaints")
  return 0
}
