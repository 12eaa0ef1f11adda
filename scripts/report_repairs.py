# SPDX-License-Identifier: Apache-2.0
"""Tries what the page of `usher report` proposes to fix, with the made-up data of `report_sample`."""

import collections
import re
import shlex
import tomllib

from report_reader import RESULT, SEARCH, check, enter, frame, go, press_button, visible
from report_sample import GRANT, OWNER, QUOTED, WORDS


def try_failures(browser):
    """What failed repeatedly with the same error is to be fixed, once, with its number and a command."""
    entries = browser.run("return JSON.parse(document.getElementById('data').textContent).history.entries.filter((entry) => entry.outcome === 'failed' && entry.error && !entry.error.endsWith('Denied'))")
    groups = collections.Counter((entry["error"], entry.get("application") or entry.get("reason") or entry["urls"][0]) for entry in entries)
    wanted = sorted(f"{count} links failed with {error.rsplit('.', 1)[1]}" for (error, _), count in groups.items() if count > 1)
    go(browser, "overview")
    items = browser.run("return [...document.querySelectorAll('.findings > li')].filter((item) => item.closest('.card').textContent.startsWith('To fix')).map((item) => [item.textContent, item.querySelector('.command code')?.textContent ?? ''])")
    names = "|".join({error.rsplit(".", 1)[1] for error, _ in groups})
    found = sorted(match[0].replace(",", "") for text, _ in items for match in re.finditer(rf"[\d,]+ links failed with ({names})", text))
    check(wanted and found == wanted, f"{len(wanted)} repeated failures are to be fixed, each once", wanted[:5], found[:5])
    once = sum(count == 1 for count in groups.values())
    single = browser.run("const fold = document.querySelector('.once'); return [fold.querySelector('summary').textContent, fold.querySelectorAll('li').length, fold.querySelectorAll('.command').length]")
    check(once > 0 and single == [f"{once} link{'s' if once > 1 else ''} that failed once", once, once], "failures that occurred once are folded, each with a command", once, single)
    commands = [command for text, command in items if "links failed with" in text]
    check(all(commands), "each has a command", *commands[:3])
    slow = [text for text, _ in items if "org.example.Slow: 2 links failed with " in text]
    check(len(slow) == 2 and all(text.count("links failed with") == 1 for text in slow), "each kind of failure of an application is an item of its own", *slow)
    link = browser.run("const link = [...document.querySelectorAll('.findings a')].find((link) => /^Show the .* links$/.test(link.textContent)); link.click(); return link.textContent")
    browser.until("return document.querySelector('nav a[aria-current]').hash === '#history'")
    frame(browser)
    check(visible(browser, RESULT)[0].split()[0] == link.split()[2], f"“{link}” leads to them", *visible(browser, RESULT))
    go(browser, "overview")


def try_totals(browser):
    """The number of what is to be fixed is the same everywhere, and lines are those of what they stand beside."""
    go(browser, "overview")
    items, note = browser.run("const card = [...document.querySelectorAll('.card')].find((card) => card.textContent.startsWith('To fix')); return [card.querySelectorAll('.findings > li').length, card.querySelector('.title .small').textContent]")
    once = browser.run("return document.querySelectorAll('.once .findings > li').length")
    badge = browser.run("return document.querySelector('nav a[href=\"#overview\"] .count').textContent")
    check(note == f"{items:,} items, {once} of them once" and badge == str(items), f"what is to be fixed has one number: {note}", items, once, badge)
    browser.run("location.hash = '#handlers?show=all'")
    frame(browser)
    rows = browser.run("return [...document.querySelectorAll('.handlers tbody tr')].map((row) => row.textContent)")
    check(any("missing: transmission-gtk.desktop (mimeapps.list:9)" in row for row in rows), "a missing application has the line that names it", *rows)
    check(any("decided by /home/ada/.config/mimeapps.list:5" in row for row in rows), "the line of a scheme says that it decides", *rows)


def try_denials(browser):
    """What a rule or the policy denies has not failed."""
    entries = browser.run("return JSON.parse(document.getElementById('data').textContent).history.entries.filter((entry) => entry.outcome === 'failed').map((entry) => entry.error ?? '')")
    denied = sum(error.endswith(".Denied") for error in entries)
    go(browser, "overview")
    tile = next(text for text in visible(browser, ".tile") if "failed" in text)
    wanted = f"{len(entries) - denied:,}links failed, {denied:,} denied"
    check(denied and tile == wanted, f"the overview counts what was denied apart: {wanted}", tile)
    latest = browser.run("return [...document.querySelectorAll('.card')].find((card) => card.textContent.startsWith('Failed most recently')).textContent")
    check("Denied" not in latest, "what was denied is not among what failed most recently", latest)
    browser.run("location.hash = '#history?show=all'")
    frame(browser)
    outcomes = browser.run("return [...document.querySelectorAll(\"section[aria-label='Requests'] option\")].map((option) => option.textContent)")
    check({f"failed ({len(entries) - denied})", f"denied ({denied})"} <= set(outcomes), "the filter of outcomes has it apart", *outcomes)
    enter(browser, SEARCH, "javascript:")
    frame(browser)
    browser.run("document.querySelector('.requests .row').click()")
    text = " ".join(visible(browser, ".detail .failure"))
    check("Denied: javascript: links are never opened" in text and "Usher opens no link of this scheme, whatever the rules say." in text and "A rule or the user" not in text, "a link that is never opened says so", text)
    browser.press("Escape")
    press_button(browser, "Clear the filters")


def try_overlaps(browser):
    """An overlap begins with its consequence, and folds the rest."""
    go(browser, "routes")
    losers = browser.run("""return new Set(JSON.parse(document.getElementById('data').textContent).routes.tables
        .flatMap((table) => table.check.findings.filter((finding) => finding.kind === 'overlap').map((finding) => `${table.layer} ${finding.loser}`))).size""")
    items = browser.run("return [...document.querySelectorAll('.overlaps > li')].map((item) => [item.firstElementChild.textContent, item.querySelector('details').open, item.querySelector('details').textContent])")
    check(len(items) == losers > 0, f"each route that loses overlaps is one item: {len(items)}", losers)
    check(all(re.search(r"(wins over|loses to \d+ routes).*: .*(not |either way)", text) for text, _, _ in items), "an overlap begins with its consequence", *[text for text, _, _ in items[:4]])
    check(any(re.search(r"^route-3 wins over (\S+): .*, not .*\. \1 loses to route-\d+ and route-\d+, too, with the same result\.$", text) for text, _, _ in items),
          "its consequence is that of the routes that do something else, and names the others")
    wanted = ["route-7 wins over twice: a link that both match is rewritten to https://one.example/{x}, not rewritten to https://two.example/{x}.",
              f"{QUOTED} wins over public: a link that both match is opened with firefox (private), not with firefox."]
    check(set(wanted) <= {text for text, _, _ in items}, "actions with another target have another effect", *[text for text, _, _ in items][-4:])
    check(not any(is_open for _, is_open, _ in items), "its details are folded")
    advice = [(text, "wins_over = " in details) for text, _, details in items]
    check(all(has_line != (text == wanted[1]) for text, has_line in advice), "and say how the other route would win, if it can", *[text for text, has_line in advice if has_line == (text == wanted[1])])


def try_problems(browser):
    """What is to be fixed has the overlaps that decided links, denials that lose, and the links that a broken route should have received."""
    go(browser, "overview")
    browser.run("for (const fold of document.querySelectorAll('.more')) fold.open = true")
    items = browser.run("return [...document.querySelectorAll('.findings > li')].filter((item) => item.checkVisibility() && item.closest('.card').textContent.startsWith('To fix')).map((item) => [item.querySelector('.badge').textContent, item.textContent, item.querySelector('p a')?.textContent])")
    overlaps = [(text, link) for badge, text, link in items if badge == "overlap"]
    check(overlaps and all("wins_over = " in text and re.search(r"So it was for [\d,]+ links? of the history", text) and link for text, link in overlaps), f"{len(overlaps)} overlaps that decided links are to be fixed, with the line", *overlaps[:2])
    denials = [text for badge, text, _ in items if badge == "a denial loses"]
    check(denials and all("wins_over = " in text and "not denied" in text for text in denials), "a denial that loses is to be fixed, with the line", *denials[:2])
    check(all(re.search(r"For example, https://\S+ is .* by the route route-\d+\.", text) for text in denials), "a denial that loses has an example", *denials[:2])
    broken = [(text, link) for _, text, link in items if "The route room is left out. It is for https://{part...?}.meet.example.org/{room:name}." in text]
    count = browser.run("return JSON.parse(document.getElementById('data').textContent).history.entries.filter((entry) => entry.urls.some((url) => /^https:..meet.example.org.[^/]+$/.test(url))).length")
    check(len(broken) == 1 and count > 0 and f"{count:,} links of the history may be meant for it" in broken[0][0], "a broken route names its pattern and the links that it should have received", broken, count)
    browser.run("[...document.querySelectorAll('.left-out a')].find((link) => link.checkVisibility()).click()")
    browser.until("return document.querySelector('nav a[aria-current]').hash === '#history'")
    frame(browser)
    check(visible(browser, RESULT)[0].split()[0] == f"{count:,}" and all("//meet.example.org/" in url for url in visible(browser, ".requests .url")), "and leads to them", *visible(browser, RESULT))
    press_button(browser, "Show all links")


def try_questions(browser):
    """A decision that asks says how to answer in advance; only a command is offered as one."""
    browser.run("location.hash = '#history?show=all'")
    frame(browser)
    for row, clause, wanted in ((5, "If no prompt can be shown: to allow it for 90 days:", GRANT),
                                (6, "If no prompt can be shown: start a notification server that supports buttons (the user is asked about each file).", None),
                                # The command has a control that the page replaces.
                                (9, "If no prompt can be shown: to allow it for 90 days.", None)):
        browser.run("document.querySelector(`.requests .row[data-index='${arguments[0]}']`).click()", row)
        texts, commands = visible(browser, ".detail p.small"), visible(browser, ".detail .command code")
        check(clause in texts and (wanted in commands if wanted else all(text.startswith(("usher explain", "usher open", "wins_over", "editor")) for text in commands)), f"a question has its answer: {clause}", *texts, *commands)
        browser.press("Escape")


def try_copying(browser):
    """Without the clipboard, a command is selected, and the page does not say that it was copied."""
    go(browser, "overview")
    said = []
    for can_copy in (True, False):
        browser.run("""navigator.clipboard.writeText = () => Promise.reject(new Error('not allowed'));
            document.execCommand = () => arguments[0];
            [...document.querySelectorAll('.command button')].find((button) => button.checkVisibility() && button.textContent === 'Copy').click()""", can_copy)
        frame(browser)
        said.append(browser.run("return [document.getElementById('announcement').textContent, getSelection().toString() !== '']"))
    check(said == [["Copied", True], ["Selected: press Ctrl+C", True]], "without the clipboard, a command is selected", *said)


def try_owners(browser):
    """Two routes of different owners with one ID are two routes."""
    go(browser, "routes")
    press_button(browser, "Tree")
    places = []
    for pattern in ("route-7 two.toml", "route-7 home.toml /area-7/"):
        enter(browser, "section[aria-label='Route table'] .bar input[type=search]", pattern)
        press_button(browser, "Expand")
        frame(browser)
        places += browser.run("""return [...document.querySelectorAll('.tree .row.route')].filter((row) => row.querySelector('strong').textContent === 'route-7')
            .map((row) => [row.querySelector('.place').textContent, row.querySelector('.badge.bad')?.textContent ?? ''])""")
    check(places == [["two.toml:2", ""], ["home.toml:16", "dead"]], "routes with one ID of two owners have their own places and badges", *places)
    browser.run("[...document.querySelectorAll('.overlaps .route-link')].find((link) => link.textContent === 'route-7').click()")
    frame(browser)
    text = " ".join(visible(browser, ".detail dl"))
    check(OWNER in text and "two.toml" in text, "a finding leads to the route of its owner", text)
    browser.press("Escape")
    press_button(browser, "URLs")


def try_commands(browser):
    """A shell reads each part of a command as one word."""
    browser.run("location.hash = '#history?show=all'")
    frame(browser)
    enter(browser, SEARCH, "usher_(singer)")
    frame(browser)
    browser.run("document.querySelector('.requests .row').click()")
    own = visible(browser, ".detail .command code")
    check([shlex.split(text) for text in own] == [["usher", "explain", "--as", f"{WORDS[0]}:unit", WORDS[1]]], "a command quotes the names and links in it", *own)
    browser.press("Escape")
    press_button(browser, "Clear the filters")
    commands = browser.run("return [...document.querySelectorAll('main .command code')].map((code) => code.textContent).filter((text) => /^(usher|editor|sudoedit) /.test(text))")

    def words(text):
        reader = shlex.shlex(text, posix=True, punctuation_chars=True)
        reader.whitespace_split = True
        return list(reader)

    check(commands and all(words(text) == shlex.split(text) for text in commands), f"each of {len(commands)} commands is one command", *commands[:2])


def try_dead_sentence(browser):
    """What is to be fixed names the dead route and the routes that win its links."""
    go(browser, "overview")
    sentences = browser.run("return [...document.querySelectorAll('.findings .what p')].map((text) => text.textContent).filter((text) => text.includes(' never wins: '))")
    ends = [re.fullmatch(r"\S+ never wins: \S+ wins every link that it matches. (Remove it, or let it win|Change its pattern or its conditions, or remove it).", text) for text in sentences]
    check(all(ends) and len({end[1] for end in ends}) == 2, "a dead route is a sentence with the routes that win its links, and says whether it can win", *sentences[:2])


def try_repairs(browser):
    """No repair names a route that another repair removes or corrects."""
    names = browser.run("""const kinds = ['matches-nothing', 'never-holds', 'never-wins'];
        return JSON.parse(document.getElementById('data').textContent).routes.tables.flatMap((table) => [
            ...table.check.findings.filter((finding) => kinds.includes(finding.kind)).map((finding) => finding.route),
            ...table.files.flatMap((file) => file['left-out'].map((route) => route.route))]).filter(Boolean)""")
    proposals = browser.run("return [...document.querySelectorAll('main code')].map((code) => code.textContent).filter((text) => text.startsWith('wins_over = '))")
    named = [tomllib.loads(text)["wins_over"] for text in proposals]
    check([f"{OWNER}/route-7", QUOTED] in named, "a repair names a route of another owner with its owner, and is TOML")
    wrong = [text for text in proposals if any(f'"{name}"' in text for name in names)]
    advice = browser.run("""return [...document.querySelectorAll('main .command')].filter((box) => box.textContent.startsWith('wins_over = ')).map((box) =>
        [box.previousElementSibling.textContent, box.querySelector('button').getAttribute('aria-label'), box.nextElementSibling.textContent, box.nextElementSibling.nextElementSibling.textContent])""")
    below = [re.search(r"add this line below line (\d+), which is the header of the route, in /home/ada/\S+:", where) for where, _, _, _ in advice]
    check(advice and all(below) and all(label.startswith("Copy the line wins_over = ") for _, label, _, _ in advice), f"{len(advice)} repairs have the line to copy, and its place", *[text for text, found in zip(advice, below) if not found][:2])
    check(all(f"+{found[1]} " in edit and "the broker reads it again by itself" in then for found, (_, _, edit, then) in zip(below, advice) if found), "each says how to edit the file, and what is to do afterwards", *advice[:2])
    checks = browser.run("return [...document.querySelectorAll('main .command')].filter((box) => box.previousElementSibling?.textContent.endsWith('To verify the decision:')).map((box) => box.textContent)")
    check(checks and all(text.startswith("usher explain ") for text in checks), f"{len(checks)} of them have the command that verifies them", *checks[:2])
    check(names and proposals and not wrong, f"none of {len(proposals)} proposals of wins_over names one of {len(names)} routes that are dead or left out", *wrong[:3])
