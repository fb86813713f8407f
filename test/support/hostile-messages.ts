// Texts that try to break out of a message: for the renderer, and for browsers that show its HTML.
import fc from "fast-check";

const syntax = [
  ..."*_~`[]()<>|:#@!&\"'\\/-+.=$ \n\t1a\u0000",
  ...[
    "**",
    "```",
    "~~~",
    "```quote\n",
    "\n> ",
    "\n- ",
    "\n  1. ",
    "|-|\n",
    "\n    ",
    "[a](",
    "](",
    "![",
    "&#9;",
  ],
  ...[
    "```spoiler ",
    "\n```\n",
    "```js\n",
    "```html\n",
    "```.py\n",
    "```math\n",
    "$$",
    "&lt;",
    "<time:",
    "<time:1>",
  ],
  ...[
    "http://",
    "javascript:",
    "data:",
    "//e.com",
    "e.com",
    "a@e.com",
    "https://youtu.be/dQw4w9WgXcQ",
    ' "t")',
  ],
  ...[
    "/user_uploads/x",
    "](/user_uploads/x.png)",
    "](/user_uploads/x.mp3)",
    "](/user_uploads/x.mp4)",
    "/e.png",
  ],
  ...[
    "<img src=x onerror=y>",
    "</script>",
    "@**",
    "@_**",
    "@*",
    "#**",
    "@**Max <b>**",
    "@*devs*",
    "#**x>y**",
  ],
  ...["#**general>", "@12**", ":smile:", ":party:", ":) ", "<3 ", "🎉", "\ud83d", "❤️", "#12 ", "A-1 "],
  ...[
    "\\href{javascript:x}{a}",
    "\\htmlData{a=b}{c}",
    "\\frac12",
    "x^2",
    "\\color{red}",
    "\\sqrt{<b>}",
    "\\text{",
  ],
];
/** Messages of these parts in any order. */
export const messages = fc
  .array(
    fc.oneof({ weight: 9, arbitrary: fc.constantFrom(...syntax) }, { weight: 1, arbitrary: fc.string() }),
    { maxLength: 40 },
  )
  .map((parts) => parts.join(""));
