// Writing in the web client: two people on the executable, with mouse and keyboard.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { faultsInBothThemes, faultsOf } from "../support/axe.ts";
import { json } from "../support/executable.ts";
import {
  choose,
  pressButton,
  type Seat,
  typeLines,
  type WebOrganization,
  webOrganization,
} from "../support/web-people.ts";

let w: WebOrganization;
let mel: Seat;
let max: Seat;
let harbour = 0;

beforeAll(async () => {
  w = await webOrganization("olive", "mel", "max", "nora", "nils", "gus");
  const everybody = ["olive", "mel", "max", "nora", "nils"];
  harbour = await w.channel("harbour", everybody, { description: "All about the *quay*" });
  await w.post("max", "harbour", "lunch", "fish at noon");
  await w.post("max", "harbour", "boats", "the Gull is back");
  [mel, max] = await Promise.all([w.sit("mel"), w.sit("max")]);
});
afterAll(() => w.close());

const topic = (name: string) => `#narrow/channel/${harbour}-harbour/topic/${name}`;
const composer = "textarea[data-composer]";
const typed = (seat: Seat) => seat.tab.$eval(composer, (area) => (area as HTMLTextAreaElement).value);

async function open(seat: Seat, name: string): Promise<void> {
  await seat.go(topic(name));
  await seat.until(`document.querySelector('[data-view-title]')?.textContent === ${JSON.stringify(name)}`);
  await seat.tab.waitForSelector(composer);
}

/** Empties the composer and types. */
async function write(seat: Seat, text: string): Promise<void> {
  await seat.tab.focus(composer);
  await seat.press("Control+a", "Backspace");
  await typeLines(seat, text);
}

describe("completion", () => {
  test("offers people, and the mention notifies them", async () => {
    await open(mel, "lunch");
    await write(mel, "hello @ma");
    await mel.tab.waitForSelector("[role=option]");
    expect(
      await mel.tab.$eval(
        composer,
        (area) => document.getElementById(area.getAttribute("aria-activedescendant") ?? "")?.textContent,
      ),
    ).toContain("Max");
    await mel.press("Enter");
    expect(await typed(mel)).toBe("hello @**Max** ");
    await mel.press("Control+Enter");
    await open(max, "lunch");
    await max.until("document.querySelector('.user-mention.is-me')?.textContent === '@Max'");
  });

  test("leaves in sight where the message goes", async () => {
    await write(mel, "hello @m");
    await mel.tab.waitForSelector("[role=option]");
    const isNameVisible = await mel.tab.$eval("[data-view-title]", (name) => {
      const { left, top, width, height } = name.getBoundingClientRect();
      return document.elementFromPoint(left + width / 2, top + height / 2) === name;
    });
    expect(isNameVisible).toBe(true);
  });

  test("offers channels, then their topics, by keyboard", async () => {
    await write(mel, "see #har");
    await mel.sees("All about the quay");
    await mel.press(">");
    expect(await typed(mel)).toBe("see #**harbour>");
    // The channel itself, and its two topics.
    await mel.until("document.querySelectorAll('[role=option]').length === 3");
    await mel.tab.keyboard.type("boa");
    await mel.until("document.querySelectorAll('[role=option]').length === 1");
    await mel.press("Tab");
    expect(await typed(mel)).toBe("see #**harbour>boats** ");
  });

  test("offers emoji and commands, and Escape closes it", async () => {
    await write(mel, ":tada");
    await mel.tab.waitForSelector("[role=option]");
    await mel.press("Enter");
    expect(await typed(mel)).toBe(":tada: ");
    await write(mel, "/po");
    await mel.tab.waitForSelector("[role=option]");
    await mel.press("Escape");
    await mel.until("document.querySelector('[role=option]') === null");
    expect(await typed(mel)).toBe("/po");
  });

  test("offers nothing inside code", async () => {
    await write(mel, "```\n@ma");
    expect(await mel.tab.$("[role=option]")).toBeNull();
    await write(mel, "");
  });
});

describe("writing", () => {
  test("says where the message goes, and formats what is selected", async () => {
    await open(mel, "lunch");
    await mel.until(
      "document.querySelector('[data-composer]')?.placeholder === 'Message to #harbour › lunch'",
    );
    await write(mel, "soup");
    await mel.press("Control+a", "Control+b");
    expect(await typed(mel)).toBe("**soup**");
    await mel.press("Control+b");
    expect(await typed(mel)).toBe("soup");
  });

  test("begins a poll before what is written already", async () => {
    await write(mel, "Soup?");
    await mel.press("Home");
    await pressButton(mel, "More formatting");
    await mel.click('aria/Poll[role="menuitem"]');
    await mel.until(`document.querySelector(${JSON.stringify(composer)}).value === "/poll Soup?"`);
  });

  test("continues a list, and ends it at an empty item", async () => {
    await write(mel, "- one");
    await mel.press("Shift+Enter");
    await mel.tab.keyboard.type("two");
    await mel.press("Shift+Enter", "Shift+Enter");
    expect(await typed(mel)).toBe("- one\n- two\n");
  });

  test("shows a preview by the server", async () => {
    await write(mel, "**bold** and `code`");
    await pressButton(mel, "Preview");
    await mel.until("document.querySelector('[aria-label=Preview] strong')?.textContent === 'bold'");
    await pressButton(mel, "Go on writing");
    expect(await typed(mel)).toBe("**bold** and `code`");
  });

  test("keeps drafts on the server, by conversation, until they are sent", async () => {
    await open(mel, "boats");
    await write(mel, "not finished");
    await open(mel, "lunch");
    const drafts = async () =>
      ((await w.ask("mel", ["GET", "/drafts"])).drafts as { content: string; topic: string }[])
        .filter(({ topic: name }) => name === "boats")
        .map(({ content }) => content);
    while ((await drafts()).length === 0) await Bun.sleep(20);
    expect(await drafts()).toEqual(["not finished"]);
    await open(mel, "boats");
    await mel.until(`document.querySelector('${composer}').value === 'not finished'`);
    await mel.tab.focus(composer);
    await mel.press("Control+Enter");
    await mel.sees("not finished");
    while ((await drafts()).length > 0) await Bun.sleep(20);
  });

  test("tells the others who is typing", async () => {
    await open(mel, "lunch");
    await open(max, "lunch");
    await write(mel, "hm");
    await max.sees("Mel is writing …");
    await write(mel, "");
    await max.missed("Mel is writing …");
  });

  test("uploads files with their progress, and links them", async () => {
    await open(mel, "lunch");
    await write(mel, "look:");
    const input = await mel.tab.$("form input[type=file]");
    await (input as unknown as { uploadFile(path: string): Promise<void> }).uploadFile("LICENSE");
    await mel.until(
      `/\\[LICENSE\\]\\(\\/user_uploads\\/.+\\)/.test(document.querySelector('${composer}').value)`,
    );
    await mel.tab.focus(composer);
    await mel.press("Control+Enter");
    await max.until("document.querySelector('a.file-link')?.textContent === 'LICENSE'");
  });

  test.each(["paste", "drop"] as const)("uploads the files of a %s", async (kind) => {
    await write(mel, "");
    await mel.tab.evaluate(`(() => {
      const data = new DataTransfer();
      data.items.add(new File(["of the log"], "${kind}.txt", { type: "text/plain" }));
      const traits = { clipboardData: data, dataTransfer: data, bubbles: true, cancelable: true };
      const event = new (${kind === "paste" ? "ClipboardEvent" : "DragEvent"})("${kind}", traits);
      document.querySelector('${composer}').dispatchEvent(event);
    })()`);
    const linked = `/\\[${kind}\\.txt\\]\\(\\/user_uploads\\/.+\\)/`;
    await mel.until(`${linked}.test(document.querySelector('${composer}').value)`);
  });

  test("says before there is no more space for files, and why one is refused then", async () => {
    const limits = (...words: string[]) =>
      json(["realm", "upload-limits", "--data", w.data, "--quota-per-user", ...words]);
    const upload = async (name: string, bytes: number) => {
      await mel.tab.evaluate(`(() => {
        const data = new DataTransfer();
        data.items.add(new File([new Uint8Array(${bytes})], "${name}", { type: "text/plain" }));
        const event = new DragEvent("drop", { dataTransfer: data, bubbles: true, cancelable: true });
        document.querySelector('${composer}').dispatchEvent(event);
      })()`);
    };
    await limits("1");
    await open(mel, "lunch");
    await write(mel, "");
    await upload("most.txt", 900_000);
    await mel.sees(/Your files take up 8\d% of the space that you may use: 9\d\d kB of 1 MB\./);
    await upload("more.txt", 100_000);
    await mel.sees(/take up 9\d% .*\. Once it is used up, uploads are refused\./);
    await upload("last.txt", 100_000);
    await mel.sees("Your files may not take up more space. An owner of the organization can allow more.");
    expect(await typed(mel)).not.toContain("last.txt");
    expect(await faultsOf(mel.page)).toEqual([]);
    await pressButton(mel, "Dismiss last.txt");
    await pressButton(mel, "Dismiss");
    await mel.missed("Once it is used up");
    await limits("0");
  });

  test("schedules a message", async () => {
    await write(mel, "later, then");
    await pressButton(mel, "Send later");
    await mel.click("[role=menuitem]");
    await mel.sees("Scheduled for");
    const { scheduled_messages } = await w.ask("mel", ["GET", "/scheduled_messages"]);
    expect(scheduled_messages).toMatchObject([{ content: "later, then", to: harbour, topic: "lunch" }]);
    expect(await typed(mel)).toBe("");
  });

  test("holds a message back if the person wants that", async () => {
    await mel.tab.evaluate(() => localStorage.setItem("hold seconds", "30"));
    await write(mel, "too quick");
    await mel.press("Control+Enter");
    await pressButton(mel, "Undo");
    await mel.until(`document.querySelector('${composer}').value === 'too quick'`);
    await mel.tab.evaluate(() => localStorage.removeItem("hold seconds"));
    const { messages } = await w.ask("mel", ["GET", "/messages"], {
      anchor: "newest",
      num_before: 5,
      num_after: 0,
    });
    expect((messages as { content: string }[]).some(({ content }) => content.includes("too quick"))).toBe(
      false,
    );
    await write(mel, "");
  });

  test("offers to undo each of many messages that it holds back", async () => {
    await mel.tab.evaluate(() => localStorage.setItem("hold seconds", "30"));
    for (const text of ["one", "two", "three", "four"]) {
      await write(mel, text);
      await mel.press("Control+Enter");
      await mel.until(`document.querySelector('${composer}').value === ''`);
    }
    await mel.tab.evaluate(() => localStorage.removeItem("hold seconds"));
    for (let left = 4; left > 0; left--) {
      const notices = "[...document.querySelectorAll('[aria-label=Notices] button')]";
      await mel.until(`${notices}.filter(({ innerText }) => innerText === 'Undo').length === ${left}`);
      await pressButton(mel, "Undo");
    }
    await write(mel, "");
  });

  test("warns before a mention of somebody who is not subscribed, and can subscribe them", async () => {
    await write(mel, "@**Gus** come too");
    await mel.press("Control+Enter");
    await mel.sees("Gus is not subscribed to #harbour");
    expect(await faultsOf(mel.page)).toEqual([]);
    await pressButton(mel, "Subscribe Gus and send");
    await max.sees("come too");
    const { subscribers } = await w.ask("mel", ["GET", `/streams/${harbour}/members`]);
    expect(subscribers).toContain(w.people.gus?.id);
  });

  test("a message to everyone is sent once the person is sure", async () => {
    await open(mel, "lunch");
    await write(mel, "@**everyone** the tide turns");
    await mel.press("Control+Enter");
    await mel.sees(/This notifies all \d people of #harbour/);
    await mel.press("Escape");
    await mel.missed("This notifies all");
    expect(await typed(mel)).toBe("@**everyone** the tide turns");
    await mel.press("Control+Enter");
    await pressButton(mel, "Send anyway");
    await max.sees("the tide turns");
  });
});

describe("messages", () => {
  test("the person's last one is edited by the up arrow", async () => {
    await open(mel, "boats");
    await open(max, "boats");
    await write(mel, "first words");
    await mel.press("Control+Enter");
    await max.sees("first words");
    await mel.until(`document.querySelector('${composer}').value === ''`);
    await mel.press("ArrowUp");
    await mel.tab.waitForSelector('[aria-label="Edit message"] textarea');
    await mel.until("document.activeElement?.value === 'first words'");
    await mel.tab.keyboard.type(", better");
    await mel.press("Control+Enter");
    await max.sees("first words, better");
    await max.sees("edited");
  });

  test("show their edits, their Markdown, and who read them", async () => {
    await choose(max, "first words, better", "Edits of this message");
    await max.sees("Mel edited");
    await max.press("Escape");
    await choose(max, "first words, better", "What was typed");
    await max.until("document.querySelector('[role=dialog] pre')?.textContent === 'first words, better'");
    await max.press("Escape");
    await choose(mel, "first words, better", "Who has read this");
    await mel.sees("Read by");
    await mel.press("Escape");
  });

  test("are quoted in their conversation", async () => {
    await choose(max, "first words, better", "Quote");
    await max.until(
      `document.querySelector('${composer}').value.includes('\`\`\`quote\\nfirst words, better\\n\`\`\`')`,
    );
    await write(max, "");
  });

  test("move to another topic, and topics are resolved", async () => {
    await choose(mel, "first words, better", "Move …");
    await mel.tab.waitForSelector("[role=dialog] input:not([type])");
    await mel.click('aria/Topic[role="textbox"]', { count: 3 });
    await mel.tab.keyboard.type("repairs");
    await pressButton(mel, "Move");
    await mel.missed("Move to another topic");
    await open(max, "repairs");
    await max.sees("first words, better");
    await choose(max, "first words, better", "Mark the topic as resolved");
    await max.until(
      "document.querySelector('[data-view-title]:has([aria-label=resolved])')?.textContent === 'repairs'",
    );
  });

  test("show times in the reader's zone", async () => {
    await w.post("max", "harbour", "clocks", "see you <time:2026-12-24T18:00:00Z>");
    await open(mel, "clocks");
    await mel.until(
      "document.querySelector('.message-content time')?.dataset.tip?.includes('in your time zone')",
    );
  });

  test("are deleted for everyone", async () => {
    await w
      .ask("olive", ["PATCH", "/realm"], { message_content_delete_limit_seconds: "unlimited" })
      .catch(() => {});
    await open(max, "lunch");
    await w.post("olive", "harbour", "lunch", "a slip of the pen");
    await max.sees("a slip of the pen");
    const olive = await w.sit("olive", topic("lunch"));
    await choose(olive, "a slip of the pen", "Delete …");
    await pressButton(olive, "Delete");
    await max.missed("a slip of the pen");
  });

  test("with polls take votes from both", async () => {
    await open(mel, "lunch");
    await open(max, "lunch");
    await write(mel, "/poll Soup?\nYes\nNo");
    await mel.press("Control+Enter");
    await max.tab.waitForSelector('section[aria-label="Poll: Soup?"] button');
    await max.click('section[aria-label="Poll: Soup?"] button');
    await mel.sees("1 person voted");
    await mel.tab.focus('section[aria-label="Poll: Soup?"] button');
    await mel.press("Enter");
    await max.sees("2 people voted");
  });

  test("with lists of tasks can be ticked and extended", async () => {
    await write(mel, "/todo Party\nCake");
    await mel.press("Control+Enter");
    await max.tab.waitForSelector('section[aria-label="List of tasks: Party"] input[type=checkbox]');
    await max.click('section[aria-label="List of tasks: Party"] input[type=checkbox]');
    await mel.sees("1 of 1 done");
    await mel.tab.type(
      'section[aria-label="List of tasks: Party"] input[aria-label="Add a task"]',
      "Candles",
    );
    await mel.press("Enter");
    await max.sees("Candles");
    await max.sees("1 of 2 done");
  });
});

test("axe finds no faults, and nothing is requested from other sites", async () => {
  expect(await faultsInBothThemes(mel.page)).toEqual([]);
  expect([...mel.strangers, ...max.strangers]).toEqual([]);
  expect(mel.page.complaints.filter((text) => !text.startsWith("Failed to load resource"))).toEqual([]);
});
