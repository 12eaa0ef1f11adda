// SPDX-License-Identifier: Apache-2.0
import BrokerCore
import Freedesktop
import WebLinks

/// A cache of the installed browsers with their profiles, which are read again if one of their files changes.
///
/// The files of the profiles are not part of the policy's fingerprint, because browsers rewrite some of them every few seconds.
struct BrowserCache {
  private struct Reading {
    let environment: [String: String]
    let stamp: FileFingerprint
    let browsers: [InstalledBrowser]
  }

  private var reading: Reading?
  /// The files of the last reading, whose fingerprint is taken before the next reading so that concurrent changes are detected.
  private var places: [String] = []

  /// Returns the browsers with the current state of the files, which it reads.
  mutating func browsers(for policy: PolicySnapshot) -> [InstalledBrowser] {
    let stamp = FileFingerprint(of: places)
    if let reading, reading.environment == policy.environment, reading.stamp == stamp {
      return reading.browsers
    }
    let directory = BrowserDirectory(environment: policy.environment)
    let now = (directory.places + policy.places).unique
    reading =
      now == places && stamp.isSettled
      ? Reading(environment: policy.environment, stamp: stamp, browsers: directory.browsers) : nil
    places = now
    return directory.browsers
  }
}
