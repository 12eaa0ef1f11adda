// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import BusInterfaces

/// The arguments that the application receives in addition to the URLs.
struct EnvelopeArguments: ParsableArguments {
  @Option(
    help: ArgumentHelp("Pass this value to the application: any JSON, at most 64 KiB.", valueName: "json"))
  var annotation: JSONArgument?

  @Option(
    help: ArgumentHelp(
      """
      Set the launch reason: activate, shortcut-item, user-activity, local-notification, remote-notification …; needs --app, and \
      no URL is required.
      """, valueName: "reason"),
    completion: .list([
      "activate", "shortcut-item", "user-activity", "local-notification", "remote-notification",
    ]))
  var reason: String?

  @Option(
    help: ArgumentHelp("Pass the payload of the launch reason: any JSON, at most 64 KiB.", valueName: "json"))
  var payload: JSONArgument?

  @Option(
    help: ArgumentHelp("Perform this action of the application's desktop entry.", valueName: "name"),
    completion: Completions.actions)
  var action: String?

  @Flag(help: "Allow the application to edit the file in place.")
  var openInPlace = false

  func validate() throws {
    try annotation?.validate(as: "--annotation")
    try payload?.validate(as: "--payload")
  }

  /// Returns the launch reason: an action without a URL means a shortcut item.
  func reason(hasURLs: Bool) -> LaunchReason {
    reason.map(LaunchReason.init(rawValue:)) ?? (action != nil && !hasURLs ? .shortcutItem : .url)
  }

  /// Sets the corresponding options of a request.
  func put(into options: inout OpenOptions, hasURLs: Bool) {
    options.annotation = try? annotation?.value(of: "annotation")
    options.reason = reason(hasURLs: hasURLs)
    options.payload = try? payload?.value(of: "payload")
    options.desktopAction = action
    options.openInPlace = openInPlace ? true : nil
  }
}
