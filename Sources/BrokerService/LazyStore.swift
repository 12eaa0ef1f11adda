import State

/// A store that is opened when it is first used, and anew where its file turned out to be damaged or was replaced.
struct LazyStore<Store> {
  /// Opens it; a damaged file is set aside under the name that is told beside it.
  private let open: () throws(StateError) -> (store: Store, setAside: String?)
  /// Is told the name of a file that was set aside.
  private let report: (String) -> Void
  private var store: Store?

  init(
    _ open: @escaping () throws(StateError) -> (store: Store, setAside: String?),
    report: @escaping (String) -> Void
  ) {
    self.open = open
    self.report = report
  }

  /// The value of `body` for the store; `body` runs again where the file was no longer at its path.
  mutating func use<Value>(_ body: (Store) throws(StateError) -> Value) throws(StateError) -> Value {
    do throws(StateError) {
      return try useOnce(body)
    } catch  where error.reason == .moved {
      return try useOnce(body)
    }
  }

  private mutating func useOnce<Value>(
    _ body: (Store) throws(StateError) -> Value
  ) throws(StateError) -> Value {
    do throws(StateError) {
      return try body(opened())
    } catch {
      switch error.reason {
      // A damaged file is set aside when it is opened the next time.
      case .corrupt, .moved: store = nil
      default: break
      }
      throw error
    }
  }

  private mutating func opened() throws(StateError) -> Store {
    if let store { return store }
    let (store, aside) = try open()
    if let aside { report(aside) }
    self.store = store
    return store
  }
}
