import RouteFiles
import RouteTables

/// Whether all route files were taken.
enum RouteFileCheck {
  static func findings(_ facts: DoctorFacts) -> [Finding] {
    facts.routeComplaints.map { complaint in
      let line = complaint.location.line > 0 ? complaint.location.line : nil
      return Finding(
        check: "routes", message: complaint.message, file: complaint.location.file, line: line,
        command: Shell.edit(complaint.location.file, at: line))
    }
  }
}
