// SPDX-License-Identifier: Apache-2.0
// Applications can use `PropertyList` and `Assurance` without an import of the module that the broker shares.
@_exported public import BusInterfaces
