import ArgumentParser
import Freedesktop

/// Web links, which are registered and taken out together.
struct WebArguments: ParsableArguments {
  @Flag(help: "Web links: http and https, with your browser behind Usher.")
  var web = false

  /// Whether nothing was said of them.
  var isEmpty: Bool { !web }

  /// Their schemes, if they are meant.
  var schemes: [URLScheme] { web ? URLScheme.web : [] }
}
