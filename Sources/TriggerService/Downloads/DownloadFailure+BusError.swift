// SPDX-License-Identifier: Apache-2.0
import BusInterfaces
import DBus
import Triggers

extension BusError {
  /// Creates the error of a call that fails for this reason.
  init(_ failure: DownloadFailure) {
    let details = ["error-kind": Variant.string(failure.kind.rawValue)]
    if failure.kind == .exists {
      self.init(.invalidRequest, failure.description, details: details)
    } else {
      self.init(.failed, failure.description, details: details)
    }
  }
}

extension Result where Failure == DownloadFailure {
  /// Returns the value, or throws the failure in another form.
  func get<Other: Error>(as other: (DownloadFailure) -> Other) throws(Other) -> Success {
    switch self {
    case .success(let value): return value
    case .failure(let failure): throw other(failure)
    }
  }
}
