import BusInterfaces

/// The notes, which all windows share and which exist only in memory.
actor NoteStore {
  private var titles: [Int64: String] = [:]

  func title(of number: Int64) -> String? { titles[number] }

  /// Returns the notes whose title contains `text`.
  func find(_ text: String) -> [Int64] { titles.filter { $0.value.contains(text) }.keys.sorted() }

  /// Adds a note, and returns its number.
  func add(title: String) -> Int64 {
    let number = (titles.keys.max() ?? 0) + 1
    titles[number] = title
    return number
  }
}
