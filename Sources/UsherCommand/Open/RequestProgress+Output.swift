// SPDX-License-Identifier: Apache-2.0
import BusInterfaces

extension RequestProgress {
  /// The progress as text, such as `3 of 10, importing`; `nil` if the report is empty.
  var text: String? {
    let count: String? =
      switch (completedUnitCount, totalUnitCount) {
      case (let completed?, let total?): "\(completed) of \(total)"
      case (let completed?, nil): "\(completed) done"
      case (nil, let total?): "\(total) to do"
      case (nil, nil): nil
      }
    let words = [count, message].compactMap(\.self)
    return words.isEmpty ? nil : words.joined(separator: ", ")
  }
}
