import ArgumentParser
import BusInterfaces
import Freedesktop

/// The options that affect the decision, including the application's choice of a scene.
struct RequestOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "The application that asks; a claim that never overrides what is verified.", valueName: "id"))
  var sourceApplication: ApplicationID?

  @Option(
    help: ArgumentHelp(
      "The page that the link is on, as https://example.org: without a click a person is asked.",
      valueName: "origin"))
  var origin: String?

  @Option(help: ArgumentHelp("The application to open with, by its desktop-file ID.", valueName: "id"))
  var app: ApplicationID?

  @Flag(
    help: ArgumentHelp(
      "Only by an application that a route, or its own entry, gives this very link to; by no browser."))
  var universalLinksOnly = false

  @Option(help: ArgumentHelp("Which content it is for: scenes are chosen by it.", valueName: "text"))
  var targetContentID: String?

  /// Sets the corresponding options of a request.
  func put(into options: inout OpenOptions) {
    options.sourceApplication = sourceApplication?.rawValue
    options.origin = origin
    options.target = app?.rawValue
    options.universalLinksOnly = universalLinksOnly
    options.targetContentID = targetContentID
  }
}
