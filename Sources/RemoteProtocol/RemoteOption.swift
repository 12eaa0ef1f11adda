// SPDX-License-Identifier: Apache-2.0
/// An option of `org.usher.Broker1.Open` that a remote client may send, by its name on the bus.
///
/// All values are texts. Other options are of the machine of the client (its session and its activation tokens), or are stated by the
/// relay.
public enum RemoteOption: String, CaseIterable, Sendable {
  /// The annotation, in JSON.
  case annotation
  /// The URL to open instead of one that failed.
  case fallback
  /// The number of hops.
  case hops
  /// `false` if no application may be started for the request, otherwise `true`.
  case launch
  /// The web origin of the page with the link.
  case origin
  /// `true` if only the outcome of an earlier request of the ID is queried, otherwise `false`.
  case reattach
  /// The application that opens the URL.
  case target
  /// The content that determines the scene.
  case targetContentID = "target-content-id"
  /// The timeout in microseconds.
  case timeout
  /// `true` if only a dedicated application may open the URL, otherwise `false`.
  case universalLinksOnly = "universal-links-only"
  /// The progress to wait for.
  case wait
}
