import BusInterfaces

/// The notes, as long as the program runs; all windows show them.
actor NoteStore {
  private var titles: [Int64: String] = [:]

  func title(of number: Int64) -> String? { titles[number] }

  /// The notes with `text` in their title.
  func find(_ text: String) -> [Int64] { titles.filter { $0.value.contains(text) }.keys.sorted() }

  /// A new note's number.
  func add(title: String) -> Int64 {
    let number = (titles.keys.max() ?? 0) + 1
    titles[number] = title
    return number
  }
}
