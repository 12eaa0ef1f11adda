# SPDX-License-Identifier: Apache-2.0
"""What a reader of the page of `usher report` does in a browser, and the list of checks that fail."""

failures = []


def check(truth, what, *details):
    print(("ok    " if truth else "FAIL  ") + what + "".join(f"\n      {detail}" for detail in ([] if truth else details)), flush=True)
    if not truth:
        failures.append(what)


def go(browser, part):
    browser.run("location.hash = arguments[0]", f"#{part}")
    browser.until("return document.querySelector('nav a[aria-current]').hash === arguments[0]", f"#{part}")


def visible(browser, selector):
    return browser.run("return [...document.querySelectorAll(arguments[0])].filter((element) => element.checkVisibility()).map((element) => element.textContent)", selector)


def press_button(browser, text):
    browser.run("[...document.querySelectorAll('button')].find((button) => button.checkVisibility() && button.textContent === arguments[0]).click()", text)


def enter(browser, selector, text):
    browser.run("const field = document.querySelector(arguments[0]); field.focus(); field.value = arguments[1]; field.dispatchEvent(new Event('input', {bubbles: true}))", selector, text)


def frame(browser):
    """Waits until the page has drawn what changed."""
    browser.run_async("const done = arguments[arguments.length - 1]; requestAnimationFrame(() => requestAnimationFrame(done))")


SEARCH = "section[aria-label='Requests'] input[type=search]"
RESULT = "section[aria-label='Requests'] .result"
