import { describe, expect, test } from "bun:test";
import { linksInTopic } from "@/text/rendering/linkifiers.ts";
import { render } from "@/text/rendering/render.ts";
import type { Linked, RenderLookup, RenderOptions } from "@/text/rendering/scope.ts";

function linkifier(pattern: RegExp, url: (match: RegExpExecArray) => string) {
  const find = (text: string) =>
    Array.from(text.matchAll(pattern), (match) => ({
      start: match.index,
      end: match.index + match[0].length,
      url: url(match),
    }));
  return { find };
}

const picture = { width: 640, height: 480, content_type: "image/png", is_animated: false };
const uploaded = /\/user_uploads\/(1\/ab\/[^/]+\.(?:png|gif))$/;
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
  upload: (href) => {
    const path_id = uploaded.exec(href)?.[1];
    if (path_id === undefined || path_id.includes("unknown")) return null;
    const isGif = path_id.endsWith(".gif");
    return { ...picture, path_id, ...(isGif ? { content_type: "image/gif", is_animated: true } : {}) };
  },
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
    ["a@b.com/foo mailto:a@b.com/foo", null],
    ["a@b.co.uk/foo mailto:a@b.co.uk/foo a@b.co.uk:a/b", null],
    ["a@b.com.uk1 a@b.co.uk.", `a@b.com.uk1 ${mail("a@b.co.uk")}.`],
    ["a@b.com?x a@b.com#x a@b.com:80 git@b.com:a/b.git", null],
    ["a@b.com: (a@b.com)? #a@b.com", `${mail("a@b.com")}: (${mail("a@b.com")})? #a@b.com`],
    ["a@b.com/ a@b.com,", `${mail("a@b.com")}/ ${mail("a@b.com")},`],
    ["mailto:a@b.com!", `${a("mailto:a@b.com")}!`],
    ["mailto:a@b.com?subject=hi, x", `${a("mailto:a@b.com?subject=hi")}, x`],
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

  test("are recorded as links", () => {
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

  test("are those of the earlier linkifier if two match", () => {
    expect(linksInTopic("#1-abc https://e.com/#1", lookup.linkifiers ?? [])).toEqual([
      { text: "#1", url: "https://e.com/1?a&b" },
      { text: "#1", url: "https://e.com/1?a&b" },
    ]);
  });
});

describe("previews of other sites", () => {
  const src = (name: string) => `/external_content/ab/${name}`;
  const linked = (href: string): Linked | null => {
    const [, name = "", kind] = /^https?:\/\/e\.com\/(\w+)\.(\w+)$/.exec(href) ?? [];
    if (name.startsWith("new")) return { kind: "unfetched", address: href };
    if (kind === "png") return { kind: "picture", src: src(name), width: 64, height: 48 };
    if (kind !== "html") return null;
    return {
      kind: "page",
      src: src(name),
      title: `"${name}" <b>`,
      description: name === "bare" ? "" : "A & b",
    };
  };
  const all = (source: string, options: RenderOptions = { linkPreviews: true }) =>
    render(source, { ...lookup, linked }, options);
  const shown = (source: string) => all(source).html;
  const png = (name: string) => `http://e.com/${name}.png`;
  const box = (name: string, title = "") =>
    `<div class="message_inline_image"><a href="${png(name)}"${title}>` +
    `<img data-original-dimensions="64x48" src="${src(name)}"></a></div>`;

  test.each([
    ["below the text", `See ${png("x")}\nok`, `<p>See ${a(png("x"))}<br>\nok</p>\n${box("x")}`],
    ["in place of nothing but an address", png("x"), box("x")],
    ["between texts", `a\n\n${png("x")}\n\nb`, `<p>a</p>\n${box("x")}\n<p>b</p>`],
    ["of a named link", `[n](${png("x")})`, `<p>${a(png("x"), "n")}</p>\n${box("x", ' title="n"')}`],
    [
      "of a short address",
      "e.com/x.png",
      `<p>${a(png("x"), "e.com/x.png")}</p>\n${box("x", ' title="e.com/x.png"')}`,
    ],
    ["of two", `${png("x")} ${png("y")}`, `<p>${a(png("x"))} ${a(png("y"))}</p>\n${box("x")}${box("y")}`],
    ["once", `${png("x")} or ${png("x")}`, `<p>${a(png("x"))} or ${a(png("x"))}</p>\n${box("x")}`],
    ["not in a quote", `> ${png("x")}`, `<blockquote>\n<p>${a(png("x"))}</p>\n</blockquote>`],
    ["in a list", `* a ${png("x")}\n* b`, `<ul>\n<li>a ${a(png("x"))}${box("x")}</li>\n<li>b</li>\n</ul>`],
    ["alone in a list", `* ${png("x")}\n* b`, `<ul>\n<li>${box("x")}</li>\n<li>b</li>\n</ul>`],
    [
      "inside a spoiler",
      `\`\`\`spoiler s\nc ${png("x")}\n\`\`\``,
      `<div class="spoiler-block"><div class="spoiler-header">\n<p>s</p>\n</div>` +
        `<div class="spoiler-content" aria-hidden="true">\n<p>c ${a(png("x"))}</p>\n${box("x")}</div></div>`,
    ],
  ])("show a picture %s", (_, source, expected) => expect(shown(source)).toBe(expected));

  test("show a card of a page, and never what it says as HTML", () => {
    const card = (name: string, text: string) =>
      `<p>${a(`http://e.com/${name}.html`)}</p>\n<div class="message_embed">` +
      `<a class="message_embed_image" href="http://e.com/${name}.html" ` +
      `style="background-image: url(&quot;${src(name)}&quot;)"></a>` +
      `<div class="data-container"><div class="message_embed_title"><a href="http://e.com/${name}.html" ` +
      `title="&quot;${name}&quot; &lt;b&gt;">&quot;${name}&quot; &lt;b&gt;</a></div>${text}</div></div>`;
    const text = '<div class="message_embed_description">A &amp; b</div>';
    expect(shown("http://e.com/p.html")).toBe(card("p", text));
    expect(shown("http://e.com/bare.html")).toBe(card("bare", ""));
  });

  test("tell what to look at", () => {
    const content = `${png("new1")} > ${png("x")} ${png("new1")} e.com/new2.html\n> ${png("new3")}`;
    expect(all(content).toFetch).toEqual([png("new1"), "http://e.com/new2.html"]);
    expect(shown(png("new1"))).toBe(`<p>${a(png("new1"))}</p>`);
    expect(all(content, { previews: true }).toFetch).toEqual([]);
    expect(html(png("x"), { linkPreviews: true })).toBe(`<p>${a(png("x"))}</p>`);
  });

  test("are left out of a message with more than 24", () => {
    const many = (count: number) =>
      Array.from({ length: count }, (_, n) => png(n < 3 ? `new${n}` : `p${n}`)).join(" ");
    expect(shown(many(24)).split("message_inline_image")).toHaveLength(22);
    expect(all(many(24)).toFetch).toHaveLength(3);
    expect(shown(many(25))).not.toContain("message_inline_image");
    expect(all(many(25)).toFetch).toEqual([]);
  });
});

describe("previews", () => {
  const box = (inner: string, css = "message_inline_image") => `<div class="${css}">${inner}</div>`;
  const shown = (source: string) => html(source, { previews: true });
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
      "[d](/user_uploads/1/ab/dance.gif)",
      upload(
        "dance.gif",
        "d",
        `<img ${original("gif")} data-animated="true" src="${thumbnail}/dance.gif/840x560-anim.webp">`,
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
    [
      "https://here.example/user_uploads/1/ab/cat.png",
      `<p>${a("https://here.example/user_uploads/1/ab/cat.png")}</p>\n` +
        box(
          `<a href="https://here.example/user_uploads/1/ab/cat.png"><img ${original("png")} src="${thumbnail}/cat.png/840x560.webp"></a>`,
        ),
    ],
    ["http://e.com/elsewhere.png", `<p>${a("http://e.com/elsewhere.png")}</p>`],
    ["https://youtu.be/dQw4w9WgXcQ", `<p>${a("https://youtu.be/dQw4w9WgXcQ")}</p>`],
    ["http://e.com/page", `<p>${a("http://e.com/page")}</p>`],
    [
      "> [q](/user_uploads/1/ab/q.png)",
      `<blockquote>\n<p>${a("/user_uploads/1/ab/q.png", "q")}</p>\n</blockquote>`,
    ],
    ["`[q](/user_uploads/1/ab/q.png)`", "<p><code>[q](/user_uploads/1/ab/q.png)</code></p>"],
  ])("of %s", (source, expected) => expect(shown(source)).toBe(expected));

  const file = (name: string) => `/user_uploads/1/ab/${name}.png`;
  const link = (name: string) => `[${name}](${file(name)})`;
  const shownLink = (name: string) => a(file(name), name);
  const preview = (name: string) =>
    box(
      `<a href="${file(name)}" title="${name}"><img ${original("png")} src="${thumbnail}/${name}.png/840x560.webp"></a>`,
    );

  test("follow the paragraph, the list item or end the cell with the link", () => {
    expect(shown(`${link("x")} ${link("y")}\nb\n\nc`)).toBe(
      `<p>${shownLink("x")} ${shownLink("y")}<br>\nb</p>\n${preview("x")}${preview("y")}\n<p>c</p>`,
    );
    expect(shown(`- ${link("x")}\n- b`)).toBe(
      `<ul>\n<li>${shownLink("x")}${preview("x")}</li>\n<li>b</li>\n</ul>`,
    );
    expect(shown(`# ${link("x")}`)).toBe(`<h1>${shownLink("x")}</h1>\n${preview("x")}`);
    expect(shown(`a|b\n-|-\n${link("x")}|c`)).toContain(
      `<td>${shownLink("x")}${preview("x")}</td>\n<td>c</td>`,
    );
  });

  test("show each address once", () => {
    expect(shown(`${link("x")} ${link("x")}\n\n${link("x")}`)).toBe(
      `<p>${shownLink("x")} ${shownLink("x")}</p>\n${preview("x")}\n<p>${shownLink("x")}</p>`,
    );
  });

  test("are left out of a message with more than 24, and if they are not requested", () => {
    const pictures = (count: number) => Array.from({ length: count }, (_, n) => link(`p${n}`)).join(" ");
    expect(shown(pictures(24)).split("message_inline_image")).toHaveLength(25);
    expect(shown(`${pictures(24)} ${link("p0")}`).split("message_inline_image")).toHaveLength(25);
    expect(shown(pictures(25))).not.toContain("message_inline_image");
    expect(html(`${pictures(1)} [s](/user_uploads/1/s.mp3)`)).not.toMatch(/<img|<audio/);
  });
});
