// SPDX-License-Identifier: Apache-2.0
import State

/// The numbers of the requests in a file of pending requests: those that stay in it, and those that are still to be removed.
///
/// It ends with the file. Requests in progress continue from memory then, and are stored again in the next one.
struct PendingFileContent {
  /// The numbers of the stored requests.
  private var stored: Set<Int64> = []
  /// The numbers of the requests that could not be removed, which a later write does.
  private var unremoved: Set<Int64> = []
  /// The numbers of the stored requests that are removed with the next batch.
  private var forgotten: [Int64] = []
  /// The approximate size in bytes of their answers.
  private var forgottenSize = 0

  /// Returns whether a request is stored.
  func contains(_ number: Int64) -> Bool { stored.contains(number) }

  /// Notes that a file with these requests was opened.
  mutating func noteOpened(with requests: [PendingRequest]) { stored = Set(requests.map(\.number)) }

  /// Notes that a request was stored.
  mutating func noteStored(_ number: Int64) { stored.insert(number) }

  /// Notes that a request is being removed; returns `false` if it is not stored.
  mutating func noteRemoval(_ number: Int64) -> Bool { stored.remove(number) != nil }

  /// Notes that requests, whose answers have `size` bytes, are to be removed.
  ///
  /// - Returns: The requests to remove now, in a batch; none before it is large enough.
  mutating func forget(_ numbers: [Int64], size: Int) -> [Int64] {
    let known = numbers.filter { stored.remove($0) != nil }
    guard !known.isEmpty else { return [] }
    forgotten += known
    forgottenSize += size
    guard forgotten.count >= 100 || forgottenSize >= BrokerLimits.forgottenAnswers else { return [] }
    defer { (forgotten, forgottenSize) = ([], 0) }
    return forgotten
  }

  /// Notes that requests could not be removed.
  mutating func noteUnremoved(_ numbers: [Int64]) { unremoved.formUnion(numbers) }

  /// Notes that a request that could not be removed is replaced; returns `false` for any other number.
  mutating func noteReplacement(_ number: Int64) -> Bool { unremoved.remove(number) != nil }

  /// Removes the requests from the file that could not be removed before.
  mutating func removeUnremoved(from store: PendingStore) {
    guard !unremoved.isEmpty, (try? store.remove(Array(unremoved))) != nil else { return }
    unremoved = []
  }
}
