import BusInterfaces
import RouteTables
import SceneRoutes
import Scenes

/// The notes, as long as the program runs.
actor NoteStore {
  private var titles: [Int64: String] = [:]

  /// What each handler of `Routes/notes.toml` does.
  nonisolated var handlers: [String: SceneRoutes<RouteAction>.Handler] {
    [
      "show-note": { match, _ in
        guard let number = match[int: "id"] else { return .notHandled }
        return .handled(await self.show(number, tab: match["tab"]))
      },
      "search": { match, _ in .handled(await self.search(match["q"] ?? "")) },
      "new-note": { match, _ in .handled(await self.add(title: match["title"] ?? "")) },
    ]
  }

  private func show(_ number: Int64, tab: String?) -> PropertyList {
    var answer: [String: PropertyList] = ["note": .integer(number)]
    if let tab { answer["tab"] = .string(tab) }
    if let title = titles[number] { answer["title"] = .string(title) }
    return .dictionary(answer)
  }

  private func search(_ text: String) -> PropertyList {
    let found = titles.filter { $0.value.contains(text) }.keys.sorted()
    return ["query": .string(text), "found": .array(found.map(PropertyList.integer))]
  }

  private func add(title: String) -> PropertyList {
    let number = (titles.keys.max() ?? 0) + 1
    titles[number] = title
    return ["note": .integer(number), "title": .string(title)]
  }
}
