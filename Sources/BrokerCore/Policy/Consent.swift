// SPDX-License-Identifier: Apache-2.0
/// The consent for one URL that one evaluation of the policy has found so far.
struct Consent {
  /// A Boolean value that indicates whether a rule or the user has allowed the URL, so that later `deny` and `ask` rules are skipped.
  var isGiven = false
  /// A Boolean value that indicates whether the caller was authorized by consent or by a route that names it.
  var isCallerAuthorized = false
}
