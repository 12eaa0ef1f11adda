// SPDX-License-Identifier: Apache-2.0
import RouteTables

/// The result of one pass of a URL through the policy.
enum PassResult {
  /// The pass has a verdict.
  case verdict(Decision.Verdict)
  /// A route, given by its name, replaced the URL with this one, which must be decided in its turn.
  ///
  /// `unwraps` if the new URL is a part of the old one, `isShared` if the route says that a path of another machine is this one here.
  case rewritten(URLString, by: String, isFinal: Bool, unwraps: Bool, isShared: Bool)
}
