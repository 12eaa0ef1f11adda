import Glibc
import RouteTables
import SceneRoutes
import Scenes

/// Shows each note in its own window, and prints a line of JSON for each request.
@main
struct Notes: ApplicationDelegate {
  func application(_ application: Application, didReceive notification: UserNotification) {
    guard let request = SceneRequest.current else { return }
    var line = RequestLine(request, "application(_:didReceive:)")
    line.finish(.handled)
  }

  static func main() async {
    do {
      let store = NoteStore()
      let routes = try SceneRouteTable(RouteTableFile.load(), handlers: NoteScene.handlers)
      let note = try TypedRoute<Int64, String?>("show-note", of: routes.table)
      try await SceneApplication("org.example.Notes").run(
        delegate: Notes(), scenes: SceneConfiguration(name: "note") { NoteScene(store, routes, note) })
    } catch {
      let sentence = "notes: \(error)\n"
      write(STDERR_FILENO, sentence, sentence.utf8.count)
      exit(1)
    }
  }
}
