// Decides about URLs as Finicky 4 documents it, written from its documentation and tests, not from its code:
// - A URL is compared as `new URL(…).href`.
// - All rewrites whose condition is true are applied; then the first handler whose condition is true decides.
// - A text without `*` must be equal. `*` stands for any text, `\*` for a star. Without a scheme, the text may follow `https://` and
//   the like; with a `*` at its start, nothing is put before it.
// - A regular expression is searched for. Of an array, one condition must be true.
// - matchHostnames compares the host name, without the port.
// - A function gets the URL, which also has the application that contains it (`opener`), and an object with the application.
//
// The second argument, if there is one, is the bundle identifier of the application that contains the links; of an unknown one, all
// texts are empty.
// Reads URLs as a JSON array from standard input, and prints the number of the rule for each, rewrites first; -1 for none.
import { readFileSync } from "node:fs";

const opener = { bundleId: process.argv[3] ?? "", name: "", path: "" };
const split = (text) => {
  const pieces = [""];
  for (let i = 0; i < text.length; i++) {
    if (text[i] === "\\" && text[i + 1] === "*") { pieces[pieces.length - 1] += "*"; i++; }
    else if (text[i] === "*") pieces.push("");
    else pieces[pieces.length - 1] += text[i];
  }
  return pieces;
};
const like = (text, url) => {
  const pieces = split(text);
  const [first, last] = [pieces.shift(), pieces.pop()];
  if (last === undefined) return first === url;
  if (!url.startsWith(first) || !url.endsWith(last) || url.length < first.length + last.length) return false;
  let [at, end] = [first.length, url.length - last.length];
  for (const piece of pieces) {
    const found = url.indexOf(piece, at);
    if (found < 0 || found + piece.length > end) return false;
    at = found + piece.length;
  }
  return true;
};
const wildcard = (text, url) => {
  if (text === "") return false;
  if (!text.includes("*")) return text === url;
  if (text.startsWith("*") || /^\w+:/.test(text)) return like(text.endsWith("//") ? text + "*" : text, url);
  const schemes = ["https:", "http:", "ftp:", "mailto:", "file:", "tel:", "sms:", "data:", ""];
  return schemes.some((scheme) => like(scheme + "//" + text, url) || like(scheme + text, url));
};
const holds = (match, url) => {
  if (Array.isArray(match)) return match.some((one) => holds(one, url));
  if (typeof match === "string") return wildcard(match, url.href);
  if (match instanceof RegExp) return match.test(url.href);
  return !!match(Object.assign(new URL(url), { opener }), { opener });
};
globalThis.finicky = {
  matchHostnames: (hosts) => (url) =>
    [hosts].flat().some((host) => (host instanceof RegExp ? host.test(url.hostname) : host === url.hostname)),
};

const { default: config } = await import(process.argv[2]);
const rules = [...(config.rewrite ?? []), ...(config.handlers ?? [])];
const urls = JSON.parse(readFileSync(0, "utf8"));
console.log(JSON.stringify(urls.map((url) => rules.findIndex((rule) => holds(rule.match, new URL(url))))));
