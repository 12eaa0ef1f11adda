// SPDX-License-Identifier: Apache-2.0
import BusInterfaces
import DBus
import Foundation
import TestSupport
import Testing

/// Downloads over TLS, with an authority and a server certificate of the test's own.
@Suite struct `A download over TLS` {
  private static let id = ServedApplication.id

  /// Writes `ca.pem`, and `server.pem` with the key and the certificate of localhost, into a directory.
  ///
  /// The certificates are valid for a century, because other tests set the clock.
  private static let authority = """
    import datetime, sys
    from cryptography import x509
    from cryptography.hazmat.primitives import hashes, serialization
    from cryptography.hazmat.primitives.asymmetric import ec
    def name(text): return x509.Name([x509.NameAttribute(x509.oid.NameOID.COMMON_NAME, text)])
    def sign(subject, key, issuer, issuer_key, extensions):
      builder = (x509.CertificateBuilder().subject_name(name(subject)).issuer_name(name(issuer)).public_key(key.public_key())
                 .serial_number(x509.random_serial_number())
                 .not_valid_before(datetime.datetime(2000, 1, 1)).not_valid_after(datetime.datetime(2100, 1, 1)))
      for extension, critical in extensions: builder = builder.add_extension(extension, critical)
      return builder.sign(issuer_key, hashes.SHA256()).public_bytes(serialization.Encoding.PEM)
    ca, server = ec.generate_private_key(ec.SECP256R1()), ec.generate_private_key(ec.SECP256R1())
    with open(sys.argv[1] + "/ca.pem", "wb") as file:
      file.write(sign("Test authority", ca, "Test authority", ca, [(x509.BasicConstraints(True, None), True)]))
    with open(sys.argv[1] + "/server.pem", "wb") as file:
      file.write(server.private_bytes(serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()))
      file.write(sign("localhost", server, "Test authority", ca, [(x509.SubjectAlternativeName([x509.DNSName("localhost")]), False)]))
    """

  private static func with(
    trusting: Bool, _ body: @Sendable (InstalledDesktop, ServedApplication, FileServer) async throws -> Void
  ) async throws {
    try await InstalledDesktop.with { desk in
      let application = try await ServedApplication.start(.application1, on: desk)
      await application.gate.open()
      let root = desk.desktop.root
      try await desk.run("/usr/bin/python3", ["-c", authority, root]).orThrow()
      let variables = trusting ? ["CURL_CA_BUNDLE": "\(root)/ca.pem"] : [:]
      let daemon = try await RunningProgram.start(
        "usher-triggers", environment: desk.desktop.environment.merging(variables) { $1 })
      try await desk.waitForOwner(of: TriggersInterface.busName, orExitOf: daemon)
      let server = try await FileServer.start(on: desk.desktop, certificate: "\(root)/server.pem")
      try await body(desk, application, server)
      server.stop()
      daemon.kill()
      await application.bus.close()
    }
  }

  @Test func `arrives from a server with a trusted certificate, also after a lost connection`() async throws {
    try await Self.with(trusting: true) { desk, application, server in
      let file = "\(desk.desktop.home)/map"
      try await desk.usher("download", Self.id, server.url("/first"), "-o", file).orThrow()
      #expect(try await application.nextEnvelope().payload?["outcome"] == "completed")
      let sum = try await desk.run("sha256sum", [file]).orThrow().output.prefix(64)
      #expect(String(sum) == (try await FileServer.checksum(on: desk)))
    }
  }

  /// An authority that is not trusted, and a certificate for another name.
  @Test(arguments: [false, true])
  func `fails at once if the certificate is not trusted, and leaves no file`(isOtherName: Bool) async throws {
    try await Self.with(trusting: isOtherName) { desk, application, server in
      let file = "\(desk.desktop.home)/map"
      let url = server.url("/whole")
      let other = url.replacing("localhost", with: "127.0.0.1")
      try await desk.usher("download", Self.id, isOtherName ? other : url, "-o", file).orThrow()
      let payload = try await application.nextEnvelope().payload
      #expect(payload?["outcome"] == "failed" && payload?["error-kind"] == "certificate")
      #expect(!FileManager.default.fileExists(atPath: file + ".part"))
    }
  }

  @Test func `follows no redirect to a server without TLS`() async throws {
    try await Self.with(trusting: true) { desk, application, server in
      let plain = try await FileServer.start(on: desk.desktop)
      try await desk.usher("download", Self.id, server.url("/tohttp/\(plain.port)")).orThrow()
      let payload = try await application.nextEnvelope().payload
      #expect(payload?["outcome"] == "failed" && payload?["error-kind"] == "redirect")
      // The plain server works, and this request is its first.
      try await desk.usher("download", Self.id, plain.url("/moved")).orThrow()
      #expect(try await plain.request("/") == "/moved 0 ")
      plain.stop()
    }
  }
}
