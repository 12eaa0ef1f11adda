// A configuration of Finicky 4 with twelve rules, written from its public documentation:
// https://github.com/johnste/finicky (README.md, example-config) and the wiki page "Configuration (v4)".
const work = { name: "Google Chrome", profile: "Work" };
const meetings = ["meet.google.com/*", "*.zoom.us/j/*"];

export default {
  defaultBrowser: "Firefox",
  options: {
    logRequests: false,
  },
  rewrite: [
    {
      // 1: an old intranet page has moved
      match: "http://intranet.example.com/start",
      url: "https://home.example.com/",
    },
  ],
  handlers: [
    {
      // 2: the boards of one team are private
      match: "github.com/example-private/*",
      browser: "Firefox:Private",
    },
    {
      // 3: everything else on GitHub is work
      match: ["github.com/*", "gist.github.com/*"],
      browser: work,
    },
    {
      // 4: meetings
      match: meetings,
      browser: "Google Chrome",
    },
    {
      // 5: Google and its subdomains
      match: ["google.com/*", "*.google.com/*"],
      browser: { name: "Google Chrome", profile: "Personal" },
    },
    {
      // 6: a regular expression
      match: /^https?:\/\/([^/]+\.)?atlassian\.net\//,
      browser: work,
    },
    {
      // 7: host names
      match: finicky.matchHostnames(["localhost", /^dev-[0-9]+\.example\.org$/]),
      browser: "Brave Browser",
    },
    {
      // 8: a text anywhere in the URL
      match: /linear\.app/,
      browser: work,
    },
    {
      // 9: videos
      match: [/^https:\/\/(www\.)?youtube\.com\/watch\?v=/, "https://youtu.be/*"],
      browser: "Brave Browser",
    },
    {
      // 10: the bank opens in a browser without extensions
      match: "https://*.bank.example/*",
      browser: "com.vivaldi.Vivaldi",
    },
    {
      // 11: links of one application
      match: (url, { opener }) => opener?.bundleId === "com.tinyspeck.slackmacgap",
      browser: work,
    },
    {
      // 12: a browser that Linux does not have
      match: "*.apple.com/*",
      browser: "Safari",
    },
  ],
};
