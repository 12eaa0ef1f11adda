// SPDX-License-Identifier: Apache-2.0
import BusInterfaces
import TestSupport
import Testing

@Suite struct `The origin of a link` {
  @Test func `reaches routes and the application as browsers write it, without a path`() async throws {
    try await InstalledDesktop.with { desk in
      let target = try await Target.install(.plain, on: desk.desktop)
      try desk.desktop.setUsherAsDefault(of: [.plain])
      try desk.desktop.writeRoutes(
        "page.toml",
        """
        [route.page]
        scheme = "play"
        source = { origin = "https://shop.example" }
        allow  = true
        """)
      try await desk.run(
        "usher",
        [
          "open", "--wait=delivered", "--timeout=\(timeLimit(240))", "--origin",
          "HTTPS://u:p@Shop.example:443/basket?id=secret", "play:1",
        ]
      ).orThrow()
      #expect(try await target.next().envelope["origin"] == "https://shop.example")
    }
  }
}
