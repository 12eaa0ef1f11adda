// SPDX-License-Identifier: Apache-2.0
// Applications can use `PropertyList`, `Assurance` and `NotificationRequest` without an import of the modules that the services
// share.
@_exported public import BusInterfaces
@_exported public import Triggers
