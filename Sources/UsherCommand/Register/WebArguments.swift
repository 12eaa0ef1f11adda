// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import Freedesktop

/// The option for web links, whose two schemes are registered and removed together.
struct WebArguments: ParsableArguments {
  @Flag(
    help:
      "Select web links (http and https), which Usher passes to your browser unless a route decides otherwise."
  )
  var web = false

  /// A Boolean value that is `true` if the option is absent.
  var isEmpty: Bool { !web }

  /// The web schemes if the option is present, otherwise an empty array.
  var schemes: [URLScheme] { web ? URLScheme.web : [] }
}
