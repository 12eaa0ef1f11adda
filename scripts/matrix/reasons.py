# SPDX-License-Identifier: Apache-2.0
"""Why a cell of the matrix is worse than that of another opener."""

# The caller itself causes these, before a link reaches Usher: the caller, the letters, the reason.
CALLERS = [
    ("kde-open", "LT", "KDE's opener changes each link before it passes it on, with and without Usher, and starts the handler with a token of its own, or without a token"),
    ("qt", "L", "`QUrl` converts the host to lower case and decodes what need not be encoded, before Qt starts an opener"),
    ("qt", "T", "Qt 5 has no activation token to pass on"),
    ("chromium", "T", "On X11, Chromium passes no activation token to the portal"),
    ("firefox", "T", "Firefox passes an activation token on Wayland only"),
    ("sandbox", "T", "This caller passes no token to the portal; a command in a sandbox has none"),
]


# The same in one session.
SESSIONS = [
    ("ssh", ("sandbox",), "L", "The portal runs outside of the login, where it has no display"),
    ("none", ("sandbox",), "L", "The portal opens no links without a display, because its backend needs one"),
    ("none", ("xdg-open", "emacs"), "L", "Without a display, Debian's `xdg-open`, which Emacs runs too, looks for no application and exits with 3, with and without Usher"),
    ("kwin", ("xdg-open", "emacs"), "L", "In a KDE session, Debian's `xdg-open`, which Emacs runs too, passes each link to KDE's opener, which changes it, with and without Usher"),
    ("xfce", ("xdg-open", "emacs"), "T", "In Xfce, Debian's `xdg-open`, which Emacs runs too, opens links with exo-open, which loses the caller's startup ID, with and without Usher"),
]


def reason(session, cell, peer, lacking):
    """Returns the reason, a sentence for the page; `None` if none is known."""
    if (cell["caller"], cell["target"]) == ("chromium", "transmission") and "Open With…" in cell.get("windows", []):
        return "The portal, which Chromium calls, asks the user, because two entries open `magnet:` (Transmission's own, and the one of this run)."
    found = []
    for letter in lacking:
        known = [text for name, callers, letters, text in SESSIONS if name == session and cell["caller"] in callers and letter in letters]
        known += [text for caller, letters, text in CALLERS if caller == cell["caller"] and letter in letters]
        if not known:
            return None
        found.append(known[0])
    return "; ".join(dict.fromkeys(found)) + "."
