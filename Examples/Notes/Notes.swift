import BusInterfaces
import Glibc
import RouteFiles
import SceneRoutes
import Scenes

/// Shows notes by their links and prints a line of JSON for each request.
@main
struct Notes {
  static func main() async {
    do {
      let store = NoteStore()
      let routes = try SceneRoutes(RouteTableFile.load(), handlers: store.handlers)
      try await SceneApplication("org.example.Notes").run { request in
        do {
          let result = try await routes.handle(request)
          RequestLine(request, routes.table, result).print()
          return result
        } catch {
          RequestLine(request, routes.table, .notHandled, error: "\(error)").print()
          throw error
        }
      }
    } catch {
      let sentence = "notes: \(error)\n"
      write(STDERR_FILENO, sentence, sentence.utf8.count)
      exit(1)
    }
  }
}
