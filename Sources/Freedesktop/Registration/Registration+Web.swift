// SPDX-License-Identifier: Apache-2.0
extension Registration {
  /// Returns the browser of this desktop, which opens `http` and `https` links without Usher.
  ///
  /// - Throws: `FreedesktopError` if no application opens http and https, or if two different applications do.
  public func webBrowser() throws(FreedesktopError) -> ApplicationID {
    let resolver = resolver(files)
    let browsers = URLScheme.web.map { resolver.resolve($0, excluding: [handler]).application?.id }
    let found = browsers.compactMap(\.self)
    guard let first = found.first, let last = found.last else { throw .noBrowser }
    guard first == last else { throw .severalBrowsers(first, last) }
    return first
  }
}
