// SPDX-License-Identifier: Apache-2.0
/// The error of a handler that did not read its request, because the application is about to exit.
///
/// The request counts as not delivered: the broker delivers it to the next instance. It is answered when the
/// application has released its bus name, because the broker would otherwise send it to this instance again.
package struct RequestNotRead: Error {
  package init() {}
}
