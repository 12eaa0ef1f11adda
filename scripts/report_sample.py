# SPDX-License-Identifier: Apache-2.0
"""Data for the page of `usher report`, as large as a test or a picture needs, and the same in each run."""

import math
import random

APPLICATIONS = [
    "org.mozilla.firefox", "org.example.Notes", "org.gnome.Calendar", "org.telegram.desktop", "org.kde.okular",
    "org.example.Mail", "org.videolan.VLC", "org.gitlab.Issues", "us.zoom.Zoom", "org.example.Atlas",
]
SOURCES = [
    ("org.telegram.desktop", "sandbox"), ("org.example.Mail", "unit"), ("org.mozilla.firefox", "executable"),
    ("com.slack.Slack", "sandbox"), ("org.kde.konsole", "claimed"), (None, "unknown"),
]
URLS = [
    "https://git.example.org/group/project/-/issues/{n}", "notes://note/{n}", "https://meet.example.org/room-{n}",
    "https://docs.example.org/guide/chapter-{n}?…", "webcal://calendar.example.org/team/{n}", "mailto:ada@example.org?…",
    "https://video.example.org/watch/{n}?…", "https://news.example.org/2026/11/{n}-a-long-headline-about-nothing-in-particular",
    "tg://resolve?…", "file:///home/ada/Documents/report-{n}.pdf",
]
# The application of each of these URLs.
OPENERS = [
    "org.gitlab.Issues", "org.example.Notes", "us.zoom.Zoom", "org.mozilla.firefox", "org.gnome.Calendar", "org.example.Mail",
    "org.videolan.VLC", "org.mozilla.firefox", "org.telegram.desktop", "org.kde.okular",
]
# An ID and a link that a shell would read as several commands.
WORDS = ("Foo & Bar's; x", "https://en.wikipedia.org/wiki/Usher_(singer);id")
GRANT = "usher grants allow --source org.example.Mail --scheme https"
OWNER, QUOTED = "org.example.Two", 'a"b\\c'
# What an attacker may write into a link or a name, and a page that inserts data as markup would execute.
HOSTILE = "</script><img src=x onerror=\"document.title='executed'\"><b>bold</b>\u202e\u2028&amp;"


def history(count, now, randomness):
    """Requests of the last days, the newest first."""
    entries = []
    time = now
    for number in range(count):
        time -= int(randomness.expovariate(1 / (5.5 * 86_400e6 / count)) * (0.4 + 1.2 * abs(math.sin(time / 4.3e10))))
        source, assurance = randomness.choice(SOURCES)
        kind = randomness.randrange(len(URLS))
        launch = randomness.random() < 0.22
        duration = int(randomness.lognormvariate(math.log(420_000 if launch else 9_000), 0.7))
        entry = {
            "time": time, "request-id": f"{randomness.getrandbits(64):016x}", "assurance": assurance,
            "urls": [URLS[kind].format(n=randomness.randrange(1, 400))], "outcome": "handled" if kind in (1, 7) else "accepted" if launch else "delivered",
            "application": OPENERS[kind], "delivery": "launch" if launch else "running", "duration": duration,
        }
        if source:
            entry["source-application"] = source
        elif number % 3 == 0:
            entry["remote"] = "container:work"
        dice = randomness.random()
        if dice < 0.02:
            del entry["delivery"]
            entry.update(outcome="failed", error="org.usher.Error.Denied", duration=1_900,
                         reason="the route “no-tracking” of your own routes denies it: this host only redirects")
            del entry["application"]
        elif dice < 0.03:
            entry.update(outcome="failed", error="org.usher.Error.LaunchFailed", reason="the program exited with status 1 before it was ready")
        elif dice < 0.035:
            entry.update(outcome="failed", error="org.usher.Error.TargetFailed")
        if entry.get("delivery"):
            at = [0, 700, 1_400, int(duration * 0.7) if launch else 2_200]
            names = ["received", "decided", "starting" if launch else "queued", "sent"]
            entry["states"] = [{"state": name, "at": min(duration, start)} for name, start in zip(names, at)]
        entries.append(entry)
    if entries:
        entries[0].update({"urls": ["notes://note/7", "notes://note/8"], "outcome": "failed", "error": "org.usher.Error.Denied",
                           "reason": HOSTILE, "source-application": HOSTILE})
    if len(entries) > 1:
        entries[1].update({"outcome": "failed", "error": "org.usher.Error.NotHandled", "application": "org.example.Once"})
    if len(entries) > 4:
        entries[4].pop("application", None)
        entries[4].update({"urls": ["javascript:alert(1)"], "outcome": "failed", "error": "org.usher.Error.Denied", "reason": "javascript: links are never opened: its links contain code"})
        # An application that never acquires its bus name: the broker has stored no state, or only that the request waits.
        for entry, states in ((entries[2], None), (entries[3], [{"state": "queued", "at": 4_000}])):
            for key in ("delivery", "states", "reason"):
                entry.pop(key, None)
            entry.update({"outcome": "failed", "error": "org.usher.Error.Timeout", "application": "org.example.Slow", "duration": 8_000_000})
            entry.update({"states": states} if states else {})
        for entry in entries[7:9]:
            for key in ("delivery", "states"):
                entry.pop(key, None)
            entry.update({"outcome": "failed", "error": "org.usher.Error.LaunchFailed", "application": "org.example.Slow", "reason": "the program exited with status 1 before it was ready"})
    if len(entries) > 250:
        # Its decision is not explained.
        entries[250].pop("remote", None)
        entries[250].update({"source-application": WORDS[0], "assurance": "unit", "urls": [WORDS[1]]})
    return entries


def routes(count, randomness):
    """A table of routes, with the coverage and the findings of some."""
    table, coverage, findings, links = [], [], [], 0
    for number in range(count):
        host = f"service{number % max(1, count // 60)}.example.org" if number % 9 else "git.example.org"
        steps = ["https:", f"//{host}", f"/{['issues', 'merge', 'wiki', 'users', 'docs'][number % 5]}", f"/area-{number % 37}", f"/{{id{number}: int}}"]
        if number % 11 == 0:
            steps = ["notes:", "//note", f"/kind-{number}", "/{id: uint}"]
        action = [{"open": APPLICATIONS[number % 10]}, {"open": APPLICATIONS[number % 7]}, {"deny": "this host only redirects"}, {"ask": ["org.mozilla.firefox", "org.example.Notes"]}, {"rewrite": "tg://resolve?id={id}"}][(number % 23) % 5]
        location = {"file": f"/home/ada/.config/usher/routes/{['work', 'home', 'video'][number % 3]}.toml", "line": 4 + 6 * (number // 3), "column": 8}
        route = {"route": f"route-{number}", "owner": "user", **location, "action": action,
                 "patterns": [{"pattern": "".join(steps).replace(": ", ":"), "line": location["line"] + 2, "steps": steps}]}
        if number % 50 == 20:
            for end in ([], ["/more"]):
                other = ["http:", *steps[1:], *end]
                route["patterns"].append({"pattern": "".join(other).replace(": ", ":"), "line": location["line"] + 3, "steps": other, "links": []})
        if number % 40 == 5:
            route["when"] = [{"name": "source", "values": ["org.telegram.desktop", "com.slack.*"]}]
        table.append(route)
        # A finding has the line of the pattern, below that of the route.
        location = location | {"line": location["line"] + 2, "column": 9}
        coverage.append({"route": route["route"], "owner": "user", "file": route["file"], "line": route["line"], "column": route["column"], "count": max(0, int(randomness.gauss(-6, 9)))})
        # Each link reaches one of the patterns; the second one of a route has none.
        route["patterns"][0]["links"] = list(range(links, links + coverage[-1]["count"]))
        links += coverage[-1]["count"]
        if number % max(1, count // 4) == 7:
            findings.append({**location, "kind": "never-wins", "route": route["route"], "others": ["route-3", "route-3"], "other-owners": ["user", "user"],
                             "can-win-over": [{"owner": "user", "route": "route-3"}] if number > count // 4 else [],
                             "message": f"the route `route-{number}` never wins: `route-3` wins every URL that it matches"})
            coverage[-1]["count"] = 0
            route["patterns"][0]["links"] = []
        if number % max(1, count // 3) == 8:
            findings.append({**location, "kind": "wins-only-empty-segments", "route": route["route"], "others": ["route-3"], "other-owners": ["user"], "can-win-over": [], "witness": "https://git.example.org//area-3/7",
                             "message": f"the route `route-{number}` wins only if a segment of a catch-all is empty"})
        if number % max(1, count // 7) == 9:
            findings.append({**location, "kind": "overlap", "route": route["route"], "winner": "route-3", "loser": route["route"], "witness": "https://git.example.org/issues/area-3/7", "context": {},
                             "message": f"`route-3` wins over `route-{number}` because its first different segment is narrower"})
    dead = next((finding["route"] for finding in findings if finding["kind"] == "never-wins" and "deny" not in table[int(finding["route"].split("-")[1])]["action"]), None)
    denial = next((finding for finding in findings if finding["kind"] == "overlap" and "deny" in table[int(finding["loser"].split("-")[1])]["action"]), None)
    if dead and denial:
        # A dead route precedes a denial, too; and so does one that an error leaves out, by an earlier version of its file.
        findings += [{**denial, "winner": winner, "message": f"`{winner}` wins over `{denial['loser']}` where another route wins"} for winner in (dead, "room")]
    def action(route):
        return table[int(route.split("-")[1])]["action"]

    plain = next((finding for finding in findings if finding["kind"] == "overlap" and "open" in action(finding["loser"])), None)
    if plain:
        # Two of its winners do the same as it does.
        same = [route["route"] for route in table if route["action"] == action(plain["loser"]) and route["route"] != plain["loser"]][-2:]
        findings += [{**plain, "winner": winner, "message": f"`{winner}` wins over `{plain['loser']}` with the same result"} for winner in same]
    if count:
        # Another owner has a route with the ID of a dead one. IDs may have quotes.
        location = {"file": "/home/ada/.config/usher/routes/two.toml", "column": 8}
        firefox = {"browser": "firefox"}
        for number, (owner, name, action) in enumerate([
            (OWNER, "route-7", {"rewrite": "https://one.example/{x}"}), ("user", QUOTED, {"open": firefox | {"private": True}}), ("user", "odd", {"ask": [firefox | {"profile": "Work"}, firefox]}),
            ("user", "twice", {"rewrite": "https://two.example/{x}"}), ("user", "public", {"open": firefox}),
        ]):
            route = {"route": name, "owner": owner, **location, "line": 2 + 6 * number, "action": action,
                     "patterns": [{"pattern": f"odd:/{number}", "line": 4 + 6 * number, "steps": ["odd:", f"/{number}"], "links": []}]}
            table.append(route)
            coverage.append({key: route[key] for key in ("route", "owner", "file", "line", "column")} | {"count": 0})
        for owner, winner, loser, line in ((OWNER, "route-7", "odd", 16), ("user", QUOTED, "odd", 16), (OWNER, "route-7", "twice", 22), ("user", QUOTED, "public", 28)):
            findings.append({**location, "line": line, "column": 9, "kind": "overlap", "route": loser, "winner": winner, "winner-owner": owner, "loser": loser, "witness": "odd:/",
                             "context": {}, "message": f"`{winner}` wins over `{loser}`"})
    for finding in findings:
        finding.setdefault("owner", "user")
        if finding["kind"] == "overlap":
            finding.setdefault("winner-owner", "user")
            # `wins_over` of `public` would contradict a rule.
            finding.setdefault("can-win-over", [] if finding["loser"] == "public" else [{"owner": finding["winner-owner"], "route": finding["winner"]}])
    reached = sum(route["count"] > 0 for route in coverage)
    explanations = []
    for number in range(min(count, 60)):
        route = table[number]
        place = {key: route[key] for key in ("route", "owner", "file", "line", "column")} | {"pattern": route["patterns"][0]["pattern"]}
        url = "".join(route["patterns"][0]["steps"]).replace("{id: uint}", "7").replace(f"{{id{number}: int}}", str(40 + number))
        explanation = {"url": url, "losers": [], "near-misses": [], "further-near-misses": 0, "notes": []}
        if number % 4 == 1:
            explanation["url"] = wrong = url.rsplit("/", 1)[0] + "/seven"
            start = len(wrong) - len("seven")
            explanation["near-misses"] = [{**place, "mismatches": [{"component": "path", "start": start, "end": len(wrong), "found": "seven", "message": "segment 3 is `seven`, but an integer is expected"}], "did-you-mean": url}]
        else:
            explanation["winner"] = {**place, "captures": {"id": 40 + number}}
            if number % 4 == 2:
                explanation["losers"] = [{**place, "route": "everything", "pattern": "https://{host...}/{path...}", "rule": "narrower", "message": "its pattern matches more URLs"}]
        explanations.append(explanation)
    check = {"diagnostics": [], "findings": findings, "complete": True, "limits": [], "undecided": [], "routes": count, "width": 3}
    if count:
        check["diagnostics"] = [{"file": "/home/ada/.config/usher/routes/work.toml", "line": 3, "column": 8, "kind": "value", "message": "`opne` is not a key of a route; write `open`"}]
    files = [{"file": "/home/ada/.config/usher/routes/home.toml", "owner": "user", "types": [{"name": "team", "line": 4, "values": ["platform", "mobile"]}], "left-out": []},
             {"file": "/home/ada/.config/usher/routes/work.toml", "owner": "user", "types": [{"name": "code", "line": 1, "written": "/[a-z]{2}/"}],
              "left-out": [{"route": "room", "line": 2, "patterns": ["https://{part...?}.meet.example.org/{room:name}"]}, {"line": 900, "patterns": []}]}]
    return {"layer": "user", "check": check, "files": files if count else [], "routes": table, "explanations": explanations,
            "coverage": {"routes": coverage, "percentage": 100 * reached // max(1, count), "urls": 900, "invalid": [],
                         "unmatched": [{"file": "history", "line": 1, "url": "https://video.example.org/watch/9"}] if count else []}}


def handlers():
    openers = {"http": "org.mozilla.firefox", "https": "org.mozilla.firefox", "mailto": "org.example.Mail", "notes": "org.example.Notes", "webcal": "org.gnome.Calendar",
               "tg": "org.telegram.desktop", "tel": "org.gnome.Calls", "magnet": None, "zoommtg": "us.zoom.Zoom", "vscode": "com.visualstudio.code", "ftp": "org.mozilla.firefox",
               "irc": "org.gnome.Polari", "slack": "com.slack.Slack"}
    result = []
    for number, (scheme, opener) in enumerate(openers.items()):
        item = {"scheme": scheme, "through-usher": number % 3 != 1, "alternatives": APPLICATIONS[number % 5:number % 5 + number % 4],
                "replaced": ["org.example.Mail"] if scheme == "mailto" else [], "unusable": [], "portal": [],
                "since": f"2026-1{number % 2}-0{1 + number % 9}T10:00:00Z", "file": "/home/ada/.config/mimeapps.list", "line": 3 + number}
        if scheme == "magnet":
            item["unusable"] = ["transmission-gtk.desktop"]
        else:
            item["application"] = opener
        if scheme == "zoommtg":
            item["portal"] = [{"caller": "com.slack.Slack", "application": "us.zoom.Zoom", "count": 3}]
        result.append(item)
    return result


def sample(rows=100_000, route_count=5_000, now=1_795_860_000_000_000):
    randomness = random.Random(7)
    entries = history(rows, now, randomness)
    table = routes(route_count, randomness)
    decisions = []
    for number, entry in enumerate(entries[:200]):
        item = {key: entry[key] for key in ("source-application", "assurance", "remote") if key in entry}
        url = entry["urls"][0].split("?…")[0]
        application = entry.get("application", "org.mozilla.firefox")
        winners = [place for place, route in enumerate(table["routes"]) if route["action"].get("open") == application] or [0]
        start = winners[number % len(winners)]
        winner, loser, miss, other = (table["routes"][(start + other) % route_count] for other in (0, 1, 2, 3))
        winner_key, loser_key, miss_key, other_key = (
            {key: route[key] for key in ("route", "owner", "file")} | {"line": route["line"] + 2, "column": 9, "pattern": route["patterns"][0]["pattern"]}
            for route in (winner, loser, miss, other))
        if "//git." in url:
            item["near-misses"] = [{**other_key, "pattern": "https://git.example.org/{team:team}/{path...}", "mismatches": [
                {"component": "path", "start": 24, "end": 29, "found": "group", "message": "segment 1 is `group` (bytes 24 to 29), but `team` must be a `team`: one of `mobile`, `platform`"}]}]
            if not any(finding.get("loser") == loser["route"] for finding in table["check"]["findings"]):
                # The winner has decided links; the other route could.
                for name in (winner["route"], "route-3"):
                    table["check"]["findings"].append({
                        **{key: loser_key[key] for key in ("file", "line", "column", "owner")}, "kind": "overlap", "route": loser["route"], "winner": name, "winner-owner": "user", "loser": loser["route"], "can-win-over": [{"owner": "user", "route": name}],
                        "witness": url, "context": {}, "message": f"`{name}` wins over `{loser['route']}` in `{url}`"})
        decisions.append({"url": url, **item, "explanation": {
            "url": url, "decision": "deliver", "assurance": entry["assurance"], "decided-by": "broker", "application": application,
            "message": f"{application} opens it", "winner": winner_key,
            "losers": [{**loser_key, "rule": "first-difference", "message": "neither is narrower; they differ first in segment 1, where `{team:team}` comes before `{group...}`"}],
            "near-misses": [{**miss_key, "message": "segment 1 is `design` (bytes 25 to 30), but `team` must be a `team`: one of `mobile`, `platform`"}],
            "diagnostics": [f"/home/ada/.config/usher/routes/work.toml:3:8: `opne` is not a key of a route (in `https://{url.split('/')[2] if '//' in url else 'example.org'}/a`)"],
            "steps": ["no final route of the administrator matches",
                      f"the user's route “{winner['route']}” ({winner['file']}:{winner['line']}:8) opens it with {application}",
                      f"over `{loser['route']}` ({loser['patterns'][0]['pattern']}, {loser['file']}:{loser['line'] + 2}:9): neither is narrower; "
                      "they differ first in segment 1, where `{team:team}` comes before `{group...}`",
                      f"{application} opens it"]}})
    for number, remedy in ((5, f"to allow it for 90 days, run: {GRANT}"), (6, "the user is asked about each file, so start a notification server that supports buttons"),
                           (9, f"to allow it for 90 days, run: {GRANT}\u202e")):
        if len(decisions) > number:
            decisions[number]["explanation"].update({"decision": "ask", "remedy": remedy})
    return {
        "version": "0.2.0", "time": now, "handlers": handlers(), "machines": {"container:work": "the container work"}, "history": {"entries": entries}, "decisions": decisions,
        "doctor": {"notes": [{"check": "callers", "message": "programs that run as root are not identified"}], "locks": [], "schemes": 13, "entries": 214, "findings": [
            {"check": "default", "message": "magnet: the default transmission-gtk.desktop cannot be used; no application opens it: not installed: no applications directory has an entry of this name", "file": "/home/ada/.config/mimeapps.list", "line": 9, "command": "usher register ID --scheme magnet", "fixable": False},
            {"check": "portal", "message": "the desktop portal opens zoommtg: links of com.slack.Slack with us.zoom.Zoom, not with the default", "command": "flatpak permission-remove desktop-used-apps x-scheme-handler/zoommtg com.slack.Slack", "fixable": True}]},
        "routes": {"tables": [table]},
    }


def autumn():
    """A link in six hours, and a handler of late in the evening, over the end of daylight saving time in Europe, which is on October 25."""
    now = 1_794_500_000_000_000
    entries = [{"time": now - number * 6 * 3_600_000_000, "request-id": f"{number:016x}", "assurance": "unknown", "urls": ["notes://note/7"], "outcome": "handled",
                "application": "org.example.Notes", "delivery": "running", "duration": 9_000} for number in range(160)]
    return empty() | {"history": {"entries": entries}, "handlers": [{**handlers()[0], "since": "2026-10-24T22:30:00Z"}]}


def programs():
    """What the command finds if all routes are those of programs, one of which has an error."""
    table = routes(200, random.Random(7)) | {"layer": "programs"}
    [error] = table["check"]["diagnostics"]
    finding = {**{key: error[key] for key in ("file", "line", "message")}, "check": "routes", "command": f"editor +3 {error['file']}", "fixable": False}
    return empty() | {"routes": {"tables": [table]}, "doctor": empty()["doctor"] | {"findings": [finding]}}


def unread():
    """What the command finds without a broker."""
    return empty() | {"history": {"error": "org.freedesktop.DBus.Error.ServiceUnknown", "message": "the broker is not running"}}


def empty():
    """What the command finds for a user who has just installed Usher."""
    return {"version": "0.2.0", "time": 1_795_860_000_000_000, "handlers": [], "machines": {}, "history": {"entries": []}, "decisions": [],
            "doctor": {"findings": [], "notes": [], "locks": [], "schemes": 0, "entries": 0}, "routes": {"tables": []}}
