// SPDX-License-Identifier: Apache-2.0
package import State

/// A store that is opened on first use, and again after its file was damaged or replaced.
package struct LazyStore<Store> {
  /// Opens the store.
  ///
  /// Returns the path to which a damaged file was moved, if there was one.
  private let open: () throws(StateError) -> (store: Store, setAside: String?)
  /// Receives the path to which a damaged file was moved.
  private let report: (String) -> Void
  private var store: Store?

  /// Creates a store that is not open.
  package init(
    _ open: @escaping () throws(StateError) -> (store: Store, setAside: String?),
    report: @escaping (String) -> Void
  ) {
    self.open = open
    self.report = report
  }

  /// Returns the result of `body` for the store; `body` runs again if the file was no longer at its path.
  package mutating func use<Value>(_ body: (Store) throws(StateError) -> Value) throws(StateError) -> Value {
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
      // The next opening moves a damaged file aside.
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
