// SPDX-License-Identifier: Apache-2.0
/// The error of a handler that cannot determine whether the request had its effect.
///
/// The caller gets the outcome `unknown`, so that neither the broker nor the caller tries another application. The request
/// is not handled again.
package struct OutcomeUnknown: Error, CustomStringConvertible {
  /// The reason as a sentence for the user.
  package let reason: String

  package init(_ reason: String) { self.reason = reason }

  package var description: String { reason }
}
