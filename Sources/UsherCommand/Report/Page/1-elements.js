// Elements of the page. Data becomes text or an attribute, never markup.

/** Returns an element with properties, attributes (`aria-…`, `role`, `data-…`), listeners (`onclick`) and children. */
function make(tag, properties = {}, ...children) {
  const element = document.createElement(tag);
  set(element, properties);
  element.append(...children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== false));
  return element;
}

function set(element, properties) {
  for (const [name, value] of Object.entries(properties)) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else element.setAttribute(name, value === true ? "" : value);
  }
}

/** Returns an SVG element. */
function draw(tag, attributes = {}, ...children) {
  const element = document.createElementNS("http://www.w3.org/2000/svg", tag);
  set(element, attributes);
  element.append(...children);
  return element;
}

const byID = (id) => document.getElementById(id);

/** Announces a text to assistive technology, also if it is that of the last announcement. */
function announce(text) {
  byID("announcement").textContent = "";
  requestAnimationFrame(() => { byID("announcement").textContent = text; });
}

/** Returns a card with a title and content. */
function card(title, note, ...content) {
  return make("section", { class: "card" },
    make("div", { class: "title" }, make("h3", {}, title), note && make("span", { class: "small" }, note)), ...content);
}

/** Shows the start of a card, and returns its title, which can have the focus. */
function lead(element) {
  element.scrollIntoView();
  const title = element.querySelector("h3");
  title.tabIndex = -1;
  return title;
}

/** Returns the heading of a part, with a sentence about it. */
function heading(title, ...lead) {
  return make("div", { class: "head" }, make("h2", {}, title), lead.length > 0 && make("p", { class: "quiet" }, lead));
}

function empty(title, text) {
  return make("div", { class: "empty" }, make("strong", {}, title), text);
}

/** Returns a shell command, or a line of a file, with a button that copies it. */
function command(text, kind = "command") {
  const button = make("button", { type: "button", "aria-label": `Copy the ${kind} ${text}` }, "Copy");
  button.addEventListener("click", async () => {
    let isCopied = true;
    try {
      await navigator.clipboard.writeText(text);
    } catch {
      // A page that was opened from a file may not use the clipboard; then the command is selected.
      getSelection().selectAllChildren(button.previousSibling);
      isCopied = document.execCommand("copy");
    }
    const result = isCopied ? "Copied" : "Selected: press Ctrl+C";
    button.textContent = result;
    announce(result);
    setTimeout(() => { button.textContent = "Copy"; }, isCopied ? 1500 : 4000);
  });
  return make("div", { class: "command" }, make("code", {}, text), button);
}

/** Returns a list of terms and values; values that are absent are left out. */
function facts(pairs) {
  return make("dl", { class: "facts" },
    pairs.filter(([, value]) => value !== undefined && value !== null && value !== "")
      .map(([term, value]) => [make("dt", {}, term), make("dd", {}, value)]));
}

/** Returns a message of the command as text, in which the parts in backquotes are code. */
const prose = (text) => text.split(/`([^`]+)`/).map((part, index) => (index % 2 ? make("code", {}, part) : part));

/** Returns the words of a search field in lower case. */
const searchWords = (input) => input.value.toLowerCase().split(/\s+/).filter(Boolean);

/** Returns the text with the places of a search marked. */
function marked(text, words) {
  // A text in lower case may be longer.
  const found = (words ?? []).filter(Boolean).map((word) => text.match(new RegExp(word.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"), "i"))).find(Boolean);
  if (!found) return [text];
  return [text.slice(0, found.index), make("mark", {}, found[0]), text.slice(found.index + found[0].length)];
}

/** Returns the text with the bytes from `start` to `end` marked. */
function markedBytes(text, start, end) {
  const bytes = new TextEncoder().encode(text);
  const part = (from, to) => new TextDecoder().decode(bytes.slice(from, to));
  return [part(0, start), make("mark", {}, part(start, end) || "∅"), part(end)];
}

const shortNumber = new Intl.NumberFormat(undefined, { maximumFractionDigits: 1 });
const many = (count, noun, plural = `${noun}s`) => `${shortNumber.format(count)} ${count === 1 ? noun : plural}`;

/** Returns a duration in microseconds as text. */
function duration(microseconds) {
  const milliseconds = microseconds / 1000;
  // A value that is rounded up has the form of the larger one.
  if (milliseconds < 9.95) return `${milliseconds.toFixed(1)} ms`;
  if (milliseconds < 999.5) return `${Math.round(milliseconds)} ms`;
  if (milliseconds < 59_500) return `${(milliseconds / 1000).toFixed(milliseconds < 9_950 ? 1 : 0)} s`;
  const seconds = Math.round(milliseconds / 1000);
  return seconds < 600 && seconds % 60 ? `${Math.floor(seconds / 60)} min ${seconds % 60} s` : `${Math.round(seconds / 60)} min`;
}

const two = (number) => String(number).padStart(2, "0");

/** Returns a time in microseconds as `2026-11-24 09:30:12`, in the time zone of the reader. */
function moment(microseconds, withSeconds = true) {
  const date = new Date(microseconds / 1000);
  const day = `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
  return `${day} ${two(date.getHours())}:${two(date.getMinutes())}${withSeconds ? `:${two(date.getSeconds())}` : ""}`;
}

/** Returns the value below which the part `part` of the sorted numbers lies. */
const percentile = (sorted, part) => sorted[Math.min(sorted.length - 1, Math.ceil(sorted.length * part) - 1)] ?? 0;
