import { describe, expect, test } from "bun:test";
import { widgetOf } from "@/messaging/submessages/widgets.ts";
import { render } from "@/text/rendering/render.ts";
import type { RenderLookup, RenderOptions } from "@/text/rendering/scope.ts";

const lookup: RenderLookup = {
  user: () => null,
  group: () => null,
  channel: () => null,
  newestInTopic: () => null,
  emptyTopicName: "general chat",
  customEmoji: (name) =>
    name === "party_time" || name === "smile"
      ? { url: `/user_avatars/1/emoji/images/${name}.png?a&b` }
      : null,
};

function html(source: string, options?: RenderOptions) {
  return render(source, lookup, options).html;
}

const emoji = (name: string, code: string) =>
  `<span aria-label="${name}" class="emoji emoji-${code}" role="img" title="${name}">:${name}:</span>`;

describe("emoji of the organization", () => {
  test.each([
    [
      ":party_time:",
      '<img alt=":party_time:" class="emoji" src="/user_avatars/1/emoji/images/party_time.png?a&amp;b" title="party time">',
    ],
    [
      ":smile:",
      '<img alt=":smile:" class="emoji" src="/user_avatars/1/emoji/images/smile.png?a&amp;b" title="smile">',
    ],
    ["`:party_time:`", "<code>:party_time:</code>"],
    [":party_time", ":party_time"],
    [":tada:", emoji("tada", "1f389")],
  ])("%s", (source, expected) => expect(html(source)).toBe(`<p>${expected}</p>`));
});

describe("emoji that are joined of several characters", () => {
  const eye = emoji("eye_in_speech_bubble", "1f441-200d-1f5e8").replace(
    /(aria-label|title)="[^"]*"/g,
    '$1="eye in speech bubble"',
  );
  const [selected, joiner] = ["\ufe0f", "\u200d"];
  test.each([
    ["without selectors", `👁${joiner}🗨`],
    ["with the first selector", `👁${selected}${joiner}🗨`],
    ["with the second selector", `👁${joiner}🗨${selected}`],
    ["with both selectors", `👁${selected}${joiner}🗨${selected}`],
  ])("%s", (_, typed) => expect(html(`a ${typed} b`)).toBe(`<p>a ${eye} b</p>`));

  test.each([
    ["1f3f3-200d-1f308", `🏳${joiner}🌈`],
    ["1f575-200d-2642", `🕵${joiner}♂`],
    ["2764-200d-1f525", `❤${joiner}🔥`],
  ])("%s", (code, typed) => {
    expect(html(typed)).toContain(`class="emoji emoji-${code}"`);
  });

  test("stay as typed where clients have none", () => {
    expect(html(`❤${joiner}🎉`)).toBe(`<p>❤${joiner}🎉</p>`);
  });
});

describe("emoticons", () => {
  const smile = emoji("smile", "1f642");
  test.each([
    [":)", smile],
    [":) a :( b <3 c : )", `${smile} a ${emoji("frown", "1f641")} b ${emoji("heart", "2764")} c : )`],
    ["a:) ;)b :-) http://e.com", null],
    [":) a\n:) b", `${smile} a<br>\n${smile} b`],
    ["`:)` [:)](http://e.com)", '<code>:)</code> <a href="http://e.com">:)</a>'],
    ["Said :).", `Said ${smile}.`],
    ["Said !:)?", `Said !${smile}?`],
    [":| :/ ;) :D :O :p (:", null],
  ])("%j", (source, expected) => {
    const kept = 'a:) ;)b :-) <a href="http://e.com">http://e.com</a>';
    const all = [
      ...[emoji("expressionless", "1f611"), emoji("confused", "1f615"), emoji("wink", "1f609")],
      ...[
        emoji("grinning", "1f600"),
        emoji("open_mouth", "1f62e"),
        emoji("stuck_out_tongue", "1f61b"),
        smile,
      ],
    ].map((each) => each.replace(/(aria-label|title)="[^"]*"/g, (attr) => attr.replaceAll("_", " ")));
    const otherwise = source.startsWith("a") ? kept : all.join(" ");
    expect(html(source, { translateEmoticons: true })).toBe(`<p>${expected ?? otherwise}</p>`);
  });

  test("stay as typed unless requested", () => {
    expect(html(":) <3")).toBe("<p>:) &lt;3</p>");
  });
});

test.each([
  ["of Unicode", "❤", emoji("heart", "2764")],
  ["by name", ":tada:", emoji("tada", "1f389")],
  ["as emoticons", "<3", emoji("heart", "2764")],
])("a thousand emoji %s are drawn, and further ones stay as typed", (_, typed, drawn) => {
  const { html } = render(Array(1002).fill(typed).join(" "), lookup, { translateEmoticons: true });
  const rest = typed.replace("<", "&lt;");
  expect(html).toBe(`<p>${Array(1000).fill(drawn).join(" ")} ${rest} ${rest}</p>`);
});

describe("times", () => {
  const time = (text: string, datetime: string) => `<time datetime="${datetime}">${text}</time>`;
  test.each([
    ["2017-06-05T22:30:00Z", "2017-06-05T22:30:00Z"],
    ["2017-06-05T22:30:00.5+02:00", "2017-06-05T20:30:00Z"],
    ["2017-06-05T22:30-0330", "2017-06-06T02:00:00Z"],
    ["2017-06-05 22:30", "2017-06-05T22:30:00Z"],
    ["2017-06-05", "2017-06-05T00:00:00Z"],
    ["20170605T223000Z", "2017-06-05T22:30:00Z"],
    ["1496701800", "2017-06-05T22:30:00Z"],
    ["1496701800.75", "2017-06-05T22:30:00Z"],
    ["0", "1970-01-01T00:00:00Z"],
    ["Jun 5th 2017, 10:30PM", "2017-06-05T22:30:00Z"],
    ["5 June 2017 10 p.m. EST", "2017-06-06T03:00:00Z"],
    ["Monday, June 5, 2017 22:30:15 GMT+2", "2017-06-05T20:30:15Z"],
    ["31 Dec 2017", "2017-12-31T00:00:00Z"],
    ["2017 May 9 12:15 am", "2017-05-09T00:15:00Z"],
    ["Jun 5 2017 22:30 +0200", "2017-06-05T20:30:00Z"],
    ["2017-6-5", "2017-06-05T00:00:00Z"],
    ["6-5-2017", "2017-06-05T00:00:00Z"],
    ["Jun 5 2017 10:30pm -02:00", "2017-06-06T00:30:00Z"],
    ["2026-01-01 10:00 IST", "2026-01-01T04:30:00Z"],
    ["2026-01-01T10:00:30 IST", "2026-01-01T04:30:30Z"],
    ["2026-01-01 10:00IST", "2026-01-01T04:30:00Z"],
    ["Jan 1 2026 10am (IST)", "2026-01-01T04:30:00Z"],
    ["Thu Jan 01 2026 10:00:00 GMT+0530 (India Standard Time)", "2026-01-01T04:30:00Z"],
    ["2026-01-01 10:00 IST (India)", "2026-01-01T04:30:00Z"],
    ["Jan 1 2026 10:00 -0530 (IST)", "2026-01-01T15:30:00Z"],
    ["5 June 2017 10 p.m. cest", "2017-06-05T20:00:00Z"],
    ["2017-06-05 JST", "2017-06-04T15:00:00Z"],
    ["6/5/2017 1:30", "2017-06-05T01:30:00Z"],
  ])("%s", (text, datetime) => expect(html(`at <time:${text}>.`)).toBe(`<p>at ${time(text, datetime)}.</p>`));

  test.each([
    ...[
      "",
      "**hello world**",
      "tomorrow",
      "Feb 31 2017",
      "2017-02-30",
      "2/30/2017 2:03",
      "2017-13-01",
      "2017-06-05T25:00",
    ],
    ...[
      "Jun 5 2017 22:30 XYZ",
      "99999999999999",
      "Jun 5 2017 foo",
      "Jan 1 2026 10:00 (somewhere)",
      "5 5 5",
      "'a' & b",
    ],
  ])("refuses %j", (text) => {
    const expected = `&lt;time:${text.replace("&", "&amp;")}&gt;`;
    expect(html(`<time:${text}>`)).toBe(`<p>${expected}</p>`);
  });

  test("stay text if they are not closed, and in code", () => {
    expect(html("<time:1\n> `<time:1>`")).toBe(
      "<p>&lt;time:1</p>\n<blockquote>\n<p><code>&lt;time:1&gt;</code></p>\n</blockquote>",
    );
  });

  test("do not depend on where the server runs", () => {
    const zone = process.env.TZ;
    process.env.TZ = "Asia/Kolkata";
    try {
      expect(html("<time:Jun 5 2017 10:30>")).toContain('"2017-06-05T10:30:00Z"');
    } finally {
      if (zone === undefined) delete process.env.TZ;
      else process.env.TZ = zone;
    }
  });
});

describe("widgets", () => {
  const poll = (question: string, ...options: string[]) => ({
    widget_type: "poll",
    extra_data: { question, options },
  });
  const todo = (task_list_title: string, ...tasks: [task: string, desc: string][]) => ({
    widget_type: "todo",
    extra_data: { task_list_title, tasks: tasks.map(([task, desc]) => ({ task, desc })) },
  });

  test.each([
    ["/poll Lunch?\nSoup\n- Salad \n\n*  Pie\n-1", poll("Lunch?", "Soup", "Salad", "Pie", "1")],
    ["/poll", poll("")],
    ["/poll\nSoup\r\nSalad", poll("", "Soup", "Salad")],
    [
      "/todo Release\nBuild: all platforms: twice\n- Announce",
      todo("Release", ["Build", "all platforms: twice"], ["Announce", ""]),
    ],
    ["/todo", todo("")],
  ])("%j", (content, expected) => expect(widgetOf(content)).toEqual(expected as ReturnType<typeof widgetOf>));

  test.each(["", "/polls a", "/pollen", "/me polls", " /poll a", "poll", "/Poll a", "/todos"])(
    "%j is none",
    (content) => expect(widgetOf(content)).toBeNull(),
  );
});
