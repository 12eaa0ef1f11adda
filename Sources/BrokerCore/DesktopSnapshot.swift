// SPDX-License-Identifier: Apache-2.0
public import Freedesktop

/// The state of the desktop at the time of a request, as far as the decision needs it.
///
/// The decision determines a part that is `nil` itself, if it can.
public struct DesktopSnapshot: Hashable, Sendable {
  /// The running applications, which own their bus names.
  ///
  /// Set only if `Broker.asksWhatRuns`.
  public var running: Set<ApplicationID> = []
  /// The MIME types of local files, by the bytes of their paths.
  ///
  /// If it is `nil`, the broker inspects each file during the decision. Otherwise it inspects none, and rejects a URL
  /// whose file is missing here with `Refusal.notExamined`.
  public var fileTypes: [[UInt8]: FileTypeOutcome]?
  /// The installed browsers with their profiles, most preferred first.
  ///
  /// If it is `nil`, a broker with a `BrowserList` lists them during the decision. Any other broker rejects a URL that needs them with
  /// `Refusal.browsersNotListed`.
  public var browsers: [InstalledBrowser]?
}
