// An application says `PropertyList` and `Assurance` without knowing that other programs speak them too.
@_exported public import BusInterfaces
