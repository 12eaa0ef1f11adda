import State

/// A store that is opened when it is first used, and anew where its file turned out to be damaged.
struct StoreOnDemand<Store> {
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

  /// What `body` makes of the store.
  mutating func use<Value>(_ body: (Store) throws(StateError) -> Value) throws(StateError) -> Value {
    do throws(StateError) {
      return try body(opened())
    } catch {
      // A damaged file is set aside when it is opened the next time.
      if case .corrupt = error.reason { store = nil }
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
