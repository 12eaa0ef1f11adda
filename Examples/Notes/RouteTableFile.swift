import Glibc
import RouteFiles
import RouteTables

/// The route file of this application.
enum RouteTableFile {
  /// The file that `NOTES_ROUTES` names; otherwise the installed file, or that of the source tree.
  static func load() throws -> RouteTable<RouteAction> {
    let files = RouteFileSet(loading: [path])
    if let diagnostic = files.diagnostics.first { throw diagnostic }
    return files.table
  }

  private static var path: String {
    if let path = getenv("NOTES_ROUTES") { return String(cString: path) }
    let installed = "\(executableDirectory)/../share/notes/notes.toml"
    return access(installed, R_OK) == 0 ? installed : sourceTree + "/Routes/notes.toml"
  }

  private static var executableDirectory: String {
    guard let pointer = realpath("/proc/self/exe", nil) else { return "." }
    defer { free(pointer) }
    let path = String(cString: pointer)
    return path.split(separator: "/").dropLast().reduce("") { "\($0)/\($1)" }
  }

  private static let sourceTree = #filePath.split(separator: "/").dropLast(3).reduce("") { "\($0)/\($1)" }
}
