// SPDX-License-Identifier: Apache-2.0
/// The state of a decision in progress: the rules that it leaves out, and a finding about the URL of the current pass.
struct DecisionState: Hashable, Sendable {
  /// A Boolean value that indicates whether the routes that unwrap or first clean URLs have no effect, and the broker's own policy does
  /// not ask.
  ///
  /// A URL is decided so before it is unwrapped or cleaned.
  var ignoresUnwrapping = false
  /// A Boolean value that indicates whether the conditions of routes disregard the unverified claims of a sandboxed caller.
  var ignoresClaims = false
  /// A Boolean value that indicates whether the URL names a file of another machine by its path here, to which a route has rewritten it.
  var isSharedFile = false
}
