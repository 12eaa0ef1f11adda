// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import BusInterfaces
import Freedesktop

/// The options that affect the decision, including the application's choice of a scene.
struct RequestOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Claim to be this application; the claim never overrides a verified identity.", valueName: "id"))
  var sourceApplication: ApplicationID?

  @Option(
    help: ArgumentHelp(
      "Set the web origin of the link, such as https://example.org; without a click, such a link needs the user's consent.",
      valueName: "origin"))
  var origin: String?

  @Option(help: ArgumentHelp("Select this application, given by its desktop-file ID.", valueName: "id"))
  var app: ApplicationID?

  @Flag(
    help: ArgumentHelp(
      "Open only with an application that a route names, or whose own desktop entry declares the scheme; not with the default application of http, https and file."
    ))
  var universalLinksOnly = false

  @Option(help: ArgumentHelp("Select the scene for this content.", valueName: "text"))
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
