import { describe, expect, test } from "bun:test";
import { linksInTopic } from "@/rendering/linkifiers.ts";
import { type RenderLookup, type RenderOptions, render } from "@/rendering/render.ts";

function linkifier(pattern: RegExp, url: (match: RegExpExecArray) => string) {
  const find = (text: string) =>
    Array.from(text.matchAll(pattern), (match) => ({
      start: match.index,
      end: match.index + match[0].length,
      url: url(match),
    }));
  return { find };
}

const picture = { width: 640, height: 480, content_type: "image/png" };
const lookup: RenderLookup = {
  user: () => null,
  group: () => null,
  channel: (name) => (name === "general" ? { id: 1, name } : null),
  newestInTopic: () => null,
  emptyTopicName: "general chat",
  linkifiers: [
    linkifier(/#(\d+)/g, ([, id]) => `https://e.com/${id}?a&b`),
    linkifier(/#\d+-[a-z]+|[A-Z]+-\d+/g, ([found]) => `https://tickets.dev/${found}`),
    linkifier(/evil\d/g, () => "javascript:alert(1)"),
  ],
  upload: (path) =>
    ({
      "1/ab/cat.png": picture,
      "1/ab/new.png": { ...picture, is_pending: true },
      "1/ab/dance.gif": { ...picture, content_type: "image/gif", is_animated: true },
      "1/ab/scan.tiff": { ...picture, content_type: "image/tiff", transcoded_image: "scan.webp" },
    })[path] ?? null,
};

function html(source: string, options?: RenderOptions) {
  return render(source, lookup, options).html;
}

const a = (href: string, text = href) => `<a href="${href}">${text}</a>`;
const number = (id: number) => a(`https://e.com/${id}?a&amp;b`, `#${id}`);
const ticket = (name: string) => a(`https://tickets.dev/${name}`, name);

describe("bare URLs", () => {
  test.each([
    ["http://e.com.", `${a("http://e.com")}.`],
    ["http://e.com?", `${a("http://e.com")}?`],
    ["http://e.com/a?b=c&d=e!", `${a("http://e.com/a?b=c&amp;d=e")}!`],
    ["http://e.com/a,b,c, but", `${a("http://e.com/a,b,c")}, but`],
    ["http://e.com/running.html:", `${a("http://e.com/running.html")}:`],
    ["http://e.com/a...", `${a("http://e.com/a")}...`],
    ["(see http://e.com/a)", `(see ${a("http://e.com/a")})`],
    ["(http://e.com/a_(b)_(c))", `(${a("http://e.com/a_(b)_(c)")})`],
    ["http://e.com/(a_((b)c)_d)_e", a("http://e.com/(a_((b)c)_d)_e")],
    ['"e.com/a/"', `&quot;${a("http://e.com/a/", "e.com/a/")}&quot;`],
    ["end www.e.com!", `end ${a("http://www.e.com", "www.e.com")}!`],
    ["sorry,http://e.com/", `sorry,${a("http://e.com/")}`],
    ["<http://e.com>", `&lt;${a("http://e.com")}&gt;`],
    ["*http://e.com/a*", `<em>${a("http://e.com/a")}</em>`],
    ["~~see http://xx.xx link~~", '<del>see <a href="http://xx.xx">http://xx.xx</a> link</del>'],
    ["http://leo@e.com/my/file", a("http://leo@e.com/my/file")],
    ["https://e.com/Image::Resize::OpenCV", a("https://e.com/Image::Resize::OpenCV")],
    ["e.com/a::smile::b", a("http://e.com/a::smile::b", "e.com/a::smile::b")],
    ["https://e.com/en#cite-1 http://e.com/#", `${a("https://e.com/en#cite-1")} ${a("http://e.com/#")}`],
    ["ucl.ac.uk, goo.gl/abc; t.co", ["ucl.ac.uk,", "goo.gl/abc;", "t.co"].map(domain).join(" ")],
    ["e.com:8080/x", a("http://e.com:8080/x", "e.com:8080/x")],
    ["readme.md views.py love...it a.commandstuff() 1.5 e.g. i.e.", null],
    ["ftp://e.com xhttp://e.com javascript://e.com about://e.com", null],
    ["a@b.com", mail("a@b.com")],
    [
      "<a@b.com>, (first.last+tag@m.e.co.uk).",
      `&lt;${mail("a@b.com")}&gt;, (${mail("first.last+tag@m.e.co.uk")}).`,
    ],
    ["mailto:a@b.com!", `${a("mailto:a@b.com")}!`],
    ["a@b @b.c a@ a@b.c@d @@", null],
  ])("%j", (source, expected) => expect(html(source)).toBe(`<p>${expected ?? source}</p>`));

  function mail(address: string) {
    return a(`mailto:${address}`, address);
  }

  function domain(text: string) {
    const [, name = "", sign = ""] = /^(.*?)([,;]?)$/.exec(text) ?? [];
    return a(`http://${name}`, name) + sign;
  }
});

describe("linkifiers", () => {
  test.each([
    ["plain text with T-1 in it", `plain text with ${ticket("T-1")} in it`],
    ["#1, (#2) #3.\n#4 T-5", `${number(1)}, (${number(2)}) ${number(3)}.<br>\n${number(4)} ${ticket("T-5")}`],
    ["**#1** #1!", `<strong>${number(1)}</strong> ${number(1)}!`],
    ["x#1 #1x #1_ é#1", "x#1 #1x #1_ é#1"],
    ["#1-abc", `${number(1)}-abc`],
    ["evil1", "evil1"],
    ["`#1` [#1](http://x.com) #**general**", null],
    ["http://x.com/#1 T-1.x", `${a("http://x.com/#1")} ${ticket("T-1")}.x`],
    ["@**#1** ~~T-1~~", `@**${number(1)}** <del>${ticket("T-1")}</del>`],
  ])("%j", (source, expected) => {
    const kept =
      `<code>#1</code> ${a("http://x.com", "#1")} ` +
      '<a class="stream" data-stream-id="1" href="/#narrow/channel/1-general">#general</a>';
    expect(html(source)).toBe(`<p>${expected ?? kept}</p>`);
  });

  test("make links that are noticed", () => {
    expect(render("see #1", lookup).hasLink).toBe(true);
    expect(render("see #x", lookup).hasLink).toBe(false);
  });
});

describe("links of a topic", () => {
  test.each<[string, { text: string; url: string }[]]>([
    ["deploy", []],
    [
      "T-2 and #1, e.com!",
      [
        { text: "T-2", url: "https://tickets.dev/T-2" },
        { text: "#1", url: "https://e.com/1?a&b" },
        { text: "e.com", url: "http://e.com" },
      ],
    ],
    ["https://x.com/a_b #1x evil1", [{ text: "https://x.com/a_b", url: "https://x.com/a_b" }]],
    ["a@b.com", []],
  ])("%j", (topic, expected) => expect(linksInTopic(topic, lookup.linkifiers ?? [])).toEqual(expected));

  test("are those of the earlier linkifier where two match", () => {
    expect(linksInTopic("#1-abc https://e.com/#1", lookup.linkifiers ?? [])).toEqual([
      { text: "#1", url: "https://e.com/1?a&b" },
      { text: "#1", url: "https://e.com/1?a&b" },
    ]);
  });
});

describe("previews", () => {
  const box = (inner: string, css = "message_inline_image") => `<div class="${css}">${inner}</div>`;
  const shown = (source: string) => html(source, { previews: true });
  const external = (url: string) => box(`<a href="${url}"><img src="${url}"></a>`);
  const upload = (name: string, title: string, image: string) =>
    `<p>${a(`/user_uploads/1/ab/${name}`, title)}</p>\n` +
    box(`<a href="/user_uploads/1/ab/${name}" title="${title}">${image}</a>`);
  const original = (type: string) =>
    `data-original-dimensions="640x480" data-original-content-type="image/${type}"`;
  const thumbnail = "/user_uploads/thumbnail/1/ab";

  test.each([
    [
      "[a cat](/user_uploads/1/ab/cat.png)",
      upload("cat.png", "a cat", `<img ${original("png")} src="${thumbnail}/cat.png/840x560.webp">`),
    ],
    [
      "[new](/user_uploads/1/ab/new.png)",
      upload(
        "new.png",
        "new",
        `<img class="image-loading-placeholder" ${original("png")} src="/static/images/loading/loader-black.svg">`,
      ),
    ],
    [
      "[d](/user_uploads/1/ab/dance.gif)",
      upload(
        "dance.gif",
        "d",
        `<img ${original("gif")} data-animated="true" src="${thumbnail}/dance.gif/840x560-anim.webp">`,
      ),
    ],
    [
      "[s](/user_uploads/1/ab/scan.tiff)",
      upload(
        "scan.tiff",
        "s",
        `<img ${original("tiff")} data-transcoded-image="scan.webp" src="${thumbnail}/scan.tiff/840x560.webp">`,
      ),
    ],
    ["[x](/user_uploads/1/ab/unknown.png)", `<p>${a("/user_uploads/1/ab/unknown.png", "x")}</p>`],
    [
      "[v](/user_uploads/1/v.mp4)",
      `<p>${a("/user_uploads/1/v.mp4", "v")}</p>\n` +
        box(
          '<a href="/user_uploads/1/v.mp4" title="v"><video preload="metadata" src="/user_uploads/1/v.mp4"></video></a>',
          "message_inline_image message_inline_video",
        ),
    ],
    [
      "a [*s* &](/user_uploads/1/s.mp3) b",
      '<p>a <audio controls preload="metadata" src="/user_uploads/1/s.mp3" title="s &amp;"></audio> b</p>',
    ],
    ...["https://youtu.be/dQw4w9WgXcQ?t=1", "https://www.youtube.com/watch?a=b&v=dQw4w9WgXcQ"].map(
      (url): [string, string] => {
        const href = url.replace("&", "&amp;");
        const still = '<img src="https://i.ytimg.com/vi/dQw4w9WgXcQ/mqdefault.jpg">';
        return [
          url,
          `<p>${a(href)}</p>\n${box(`<a data-id="dQw4w9WgXcQ" href="${href}">${still}</a>`, "youtube-video message_inline_image")}`,
        ];
      },
    ),
    ["http://e.com/page", `<p>${a("http://e.com/page")}</p>`],
    ["> http://e.com/q.png", `<blockquote>\n<p>${a("http://e.com/q.png")}</p>\n</blockquote>`],
    ["`http://e.com/q.png`", "<p><code>http://e.com/q.png</code></p>"],
  ])("of %s", (source, expected) => expect(shown(source)).toBe(expected));

  test("follow the paragraph, the list item or end the cell with the link", () => {
    const [x, y] = ["http://e.com/x.png", "http://e.com/y.jpg?z"] as const;
    expect(shown(`${x} ${y}\nb\n\nc`)).toBe(
      `<p>${a(x)} ${a(y)}<br>\nb</p>\n${external(x)}${external(y)}\n<p>c</p>`,
    );
    expect(shown(`- ${x}\n- b`)).toBe(`<ul>\n<li>${a(x)}${external(x)}</li>\n<li>b</li>\n</ul>`);
    expect(shown(`# ${x}`)).toBe(`<h1>${a(x)}</h1>\n${external(x)}`);
    expect(shown(`a|b\n-|-\n${x}|c`)).toContain(`<td>${a(x)}${external(x)}</td>\n<td>c</td>`);
  });

  test("show each address once", () => {
    const x = "http://e.com/x.png";
    expect(shown(`${x} ${x}\n\n${x}`)).toBe(`<p>${a(x)} ${a(x)}</p>\n${external(x)}\n<p>${a(x)}</p>`);
  });

  test("are left out of a message with more than 24, and unless they are asked for", () => {
    const pictures = (count: number) =>
      Array.from({ length: count }, (_, n) => `http://e.com/${n}.png`).join(" ");
    expect(shown(pictures(24)).split("message_inline_image")).toHaveLength(25);
    expect(shown(`${pictures(24)} http://e.com/0.png`).split("message_inline_image")).toHaveLength(25);
    expect(shown(pictures(25))).not.toContain("message_inline_image");
    expect(html(`${pictures(1)} [s](/user_uploads/1/s.mp3)`)).not.toMatch(/<img|<audio/);
  });
});
