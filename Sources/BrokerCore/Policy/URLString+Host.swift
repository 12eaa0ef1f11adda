// SPDX-License-Identifier: Apache-2.0
public import RouteTables

extension URLString {
  /// The host in lower case, without user information, port and trailing dot; `nil` if there is none.
  public var host: String? { (try? URLAuthority(text))?.host }

  /// The port; `nil` if there is none, or it is the default port of the scheme.
  var port: UInt16? { (try? URLAuthority(text))?.port }
}
