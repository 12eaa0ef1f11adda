// Prints for each URL the number of the first list with a regular expression that occurs in it; -1 for none. Reads
// {"lists": [["expression", …], …], "urls": […]}. A leading `(?i)` is the flag of that name.
import { readFileSync } from "node:fs";

const { lists, urls } = JSON.parse(readFileSync(0, "utf8"));
const compile = (text) => (text.startsWith("(?i)") ? new RegExp(text.slice(4), "i") : new RegExp(text));
const compiled = lists.map((list) => list.map(compile));
console.log(JSON.stringify(urls.map((url) =>
  compiled.findIndex((list) => list.some((expression) => expression.test(new URL(url).href))))));
