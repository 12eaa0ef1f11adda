// SPDX-License-Identifier: Apache-2.0
public import Freedesktop

/// A cache of the applications that handle schemes.
///
/// An entry is valid as long as none of its files has certainly changed.
public protocol HandlerCaching: Sendable {
  /// Returns the cached application for a scheme; `nil` if there is none or if a file may have changed.
  func choice(for scheme: URLScheme) -> TargetApplication?
  /// Caches an application that was chosen from the policy and from the files and directories at `places`.
  func keep(_ application: TargetApplication, for scheme: URLScheme, restingOn places: [String])
}
