// SPDX-License-Identifier: Apache-2.0
import RemoteProtocol
import Testing

/// The names of containers in `/run/.containerenv`.
@Suite struct `The name of a container` {
  @Test(
    arguments: [
      ("engine=\"podman-4.3.1\"\nname=\"fedora-toolbox-39\"\nid=\"1\"\n", "fedora-toolbox-39"),
      ("name=\"My_Box.1\"", "my_box.1"), ("name=\"a\"\nname=\"b\"\n", "a"),
    ] as [(String, String)])
  func `is read in lower case`(description: String, name: String) {
    #expect(ContainerName(ofDescription: description.utf8)?.text == name)
  }

  @Test(arguments: [
    "", "\n", "engine=\"podman\"\n", "name=\"\"\n", "name=\"..\"\n", "name=\"a/b\"\n", "name=\"a\nb\"\n",
    "name=\"ä\"\n",
    "name=\"a b\"\n", " name=\"a\"\n",
  ])
  func `is unknown if it cannot be the name of a directory`(description: String) {
    #expect(ContainerName(ofDescription: description.utf8) == nil)
  }
}
