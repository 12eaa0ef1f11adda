// SPDX-License-Identifier: Apache-2.0
import Freedesktop
import Testing

@testable import BrokerCore

@Suite struct `The directories of route files` {
  @Test(arguments: ["/etc/xdg", "/etc/xdg/"])
  func `of the administrator belong to no other layer, whatever the environment says`(directory: String) {
    let directories = BaseDirectories(
      environment: [
        "HOME": "/home/me", "XDG_CONFIG_HOME": directory, "XDG_DATA_HOME": directory,
        "XDG_CONFIG_DIRS": directory,
      ])
    let system = "/etc/xdg/usher/routes"
    #expect(RouteLayer.Owner.administrator.routeDirectories(in: directories).contains(system))
    #expect(!RouteLayer.Owner.user.routeDirectories(in: directories).contains(system))
    #expect(!RouteLayer.Owner.vendor.routeDirectories(in: directories).contains(system))
    #expect(!directories.usersRouteDirectories.contains(system))
  }
}
