// Next to and below a conversation: the panel with people, and writing in views of several conversations.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { faultsOf } from "../support/axe.ts";
import { type Seat, type WebOrganization, webOrganization } from "../support/web-people.ts";

let w: WebOrganization;
let mel: Seat;
let max: Seat;
let harbour = 0;
let boats = 0;

beforeAll(async () => {
  w = await webOrganization("olive", "mel", "max");
  harbour = await w.channel("harbour", ["olive", "mel", "max"], { description: "All about the *quay*" });
  boats = await w.post("max", "harbour", "boats", "the Gull is back, @**Mel**");
  await w.post("max", "harbour", "lunch", "fish at noon");
  [mel, max] = await Promise.all([w.sit("mel"), w.sit("max")]);
}, 240_000);
afterAll(() => w.close());

const topic = (name: string) => `#narrow/channel/${harbour}-harbour/topic/${name}`;
const panel = "document.getElementById('panel')";
const isResolved = (name: string) =>
  `document.querySelector('[data-view-title]:has([aria-label=resolved])')?.textContent === '${name}'`;
const title = (text: string) => `document.querySelector('[data-view-title]')?.textContent === '${text}'`;

describe("the panel", () => {
  test("shows the channel and its people, by a key; those who are online come first", async () => {
    await mel.go(topic("boats"));
    await mel.until(title("boats"));
    await mel.tab.evaluate("document.activeElement?.blur()");
    await mel.press("w");
    await mel.until(`/All about the quay/.test(${panel}?.innerText)`);
    await mel.until(`/In the channel 3/.test(${panel}.innerText.replace(/\\s+/g, ' '))`);
    await mel.until(
      `[...${panel}.querySelectorAll('section[aria-label="People in the channel"] li')].map((li) => li.innerText.split('\\n')[0].trim()).join() === 'Max,Mel (you),Olive'`,
    );
    await mel.until(
      `${panel}.querySelectorAll('section[aria-label="People in the channel"] li [aria-label=Active]').length === 2`,
    );
    expect(await faultsOf(mel.page)).toEqual([]);
  });

  test("shows new subscribers, and opens their cards", async () => {
    const made = await w.ask("olive", ["POST", "/users"], {
      email: "nora@example.com",
      full_name: "Nora",
      password: "correct horse battery",
    });
    await w.ask("olive", ["POST", "/users/me/subscriptions"], {
      subscriptions: [{ name: "harbour" }],
      principals: [made.user_id],
    });
    await mel.until(`${panel}.innerText.includes('Nora')`);
    await mel.tab.evaluate(
      `[...${panel}.querySelectorAll('li button')].find((b) => /Nora/.test(b.innerText)).click()`,
    );
    await mel.tab.waitForSelector("[role=dialog][aria-label=Person]");
    await mel.sees("nora@example.com");
    await mel.press("Escape");
  });

  test("follows the view: a direct conversation shows a profile, the inbox everyone", async () => {
    await mel.go(`#narrow/dm/${w.people.max?.id}-max`);
    await mel.until(`/Member/.test(${panel}?.innerText) && /max@example.com/.test(${panel}.innerText)`);
    await mel.go("#inbox");
    await mel.until(`/Everyone/.test(${panel}?.innerText)`);
    await mel.go("#settings");
    await mel.until(`${panel} === null`);
    await mel.go("#inbox");
    await mel.until(`${panel} !== null`);
  });

  test("is closed by Escape within it, and keeps its state after a reload", async () => {
    await mel.tab.focus("#panel button");
    await mel.press("Escape");
    await mel.until(`${panel} === null && ${title("Inbox")}`);
    await mel.until("document.activeElement?.getAttribute('aria-label') === 'People and details'");
    await mel.press("w");
    await mel.until(`${panel} !== null`);
    await mel.tab.reload();
    await mel.until(`${panel} !== null`);
  });

  test("covers the view in narrow windows, and closes with it", async () => {
    await mel.tab.setViewport({ width: 900, height: 800 });
    await mel.until(`getComputedStyle(${panel}).position === 'fixed'`);
    await mel.go(topic("lunch"));
    await mel.until(`${panel} === null`);
    await mel.click('[aria-label="People and details"]');
    await mel.until(`document.activeElement === ${panel}`);
    await mel.press("Escape");
    await mel.until(`${panel} === null`);
    await mel.tab.setViewport({ width: 1280, height: 860 });
  });
});

test("a link to somebody's profile shows who they are", async () => {
  await mel.go(`#user/${w.people.max?.id}`);
  await mel.until(`${title("Max")} && document.querySelector('main').innerText.includes('max@example.com')`);
  await mel.go("#user/999999");
  await mel.sees("This person cannot be shown");
});

describe("writing from a view of several conversations", () => {
  test("says where the reply goes, and sends it there", async () => {
    await mel.go("#feed");
    await mel.sees("Select a message to reply to it.");
    await mel.tab.waitForSelector(`article[data-message="${boats}"]`);
    await mel.tab.focus(`article[data-message="${boats}"]`);
    await mel.sees("Reply in #harbour › boats");
    await mel.press("r");
    await mel.until("document.activeElement?.matches('[data-composer]')");
    await mel.sees("to #harbour › boats");
    await mel.tab.keyboard.type("welcome home");
    await mel.press("Control+Enter");
    await mel.until("location.hash.includes('topic/boats')");
    await max.go(topic("boats"));
    await max.sees("welcome home");
  });

  test("closes the composer by Escape, and returns the focus to the message", async () => {
    await mel.go("#narrow/is/mentioned");
    await mel.tab.waitForSelector("article");
    await mel.click("article .message-content");
    await mel.click('aria/Reply in #harbour › boats[role="button"]');
    await mel.tab.waitForSelector("[data-composer]:focus");
    await mel.press("Escape");
    await mel.until(`document.activeElement?.dataset.message === '${boats}'`);
    expect(await mel.tab.$("[data-composer]")).toBeNull();
    expect(await faultsOf(mel.page)).toEqual([]);
  });

  test("quotes into the conversation of the message", async () => {
    await mel.press("Shift+>");
    await mel.until("/Max\\|\\d+\\*\\*/.test(document.querySelector('[data-composer]')?.value)");
    await mel.sees("to #harbour › boats");
    expect(await mel.tab.evaluate("location.hash")).toBe("#narrow/is/mentioned");
    await mel.click("[data-composer]");
    await mel.press("Escape");
  });

  test("asks where a new message goes: a channel and a topic, by keyboard", async () => {
    await mel.go("#recent");
    await mel.until(title("Recent conversations"));
    await mel.tab.evaluate("document.activeElement?.blur()");
    await mel.press("c");
    await mel.tab.waitForSelector("[role=dialog] input:focus");
    await mel.tab.keyboard.type("harb");
    await mel.until(
      "/harbour/.test(document.querySelector('[role=option][aria-selected=true]')?.textContent)",
    );
    await mel.press("Tab");
    await mel.until(
      "document.activeElement?.matches('[role=dialog] input') && document.activeElement.value === ''",
    );
    await mel.tab.keyboard.type("a new bell");
    expect(await faultsOf(mel.page)).toEqual([]);
    await mel.press("Enter");
    await mel.until(title("a new bell"));
    await mel.until("document.activeElement?.matches('[data-composer]')");
    await mel.tab.keyboard.type("it rings");
    await mel.press("Control+Enter");
    await max.go(topic("a.20new.20bell"));
    await max.sees("it rings");
  });

  test("or to several people", async () => {
    await mel.go("#recent");
    await mel.until(title("Recent conversations"));
    await mel.press("x");
    await mel.tab.waitForSelector("[role=dialog] input:focus");
    await mel.tab.keyboard.type("max");
    await mel.press("Enter");
    await mel.tab.keyboard.type("oli");
    await mel.press("Enter");
    await mel.click('aria/Write[role="button"]');
    await mel.until(title("Olive, Max"));
    await mel.until("document.activeElement?.matches('[data-composer]')");
  });
});

describe("menus", () => {
  const choose = async (label: string) => {
    const row = `[...document.querySelectorAll('[role^=menuitem]')].find((row) => row.innerText.includes('${label}'))`;
    await mel.until(`${row} !== undefined`);
    await mel.tab.evaluate(`${row}.click()`);
  };

  test("a topic's menu renames it, and marks it as resolved; everybody sees that", async () => {
    await w.post("max", "harbour", "anchr", "it holds");
    await max.go(topic("anchr"));
    await mel.go(topic("anchr"));
    await mel.sees("it holds");
    await mel.click('[aria-label="More about this topic"]');
    await choose("Rename or move");
    await mel.tab.waitForSelector("[role=dialog] select:focus");
    await mel.press("Tab");
    await mel.tab.keyboard.type("anchor");
    await mel.press("Enter");
    await mel.until(title("anchor"));
    await max.until(title("anchor"));
    await mel.click('[aria-label="More about this topic"]');
    await choose("Mark the topic as resolved");
    await mel.until(isResolved("anchor"));
    await max.until(isResolved("anchor"));
    await max.click("[data-composer]");
    await max.tab.keyboard.type("half a word");
    await mel.click('[aria-label="More about this topic"]');
    await choose("Mark the topic as open again");
    await max.sees("This topic is #harbour › anchor now.");
    await max.until(isResolved("anchor"));
  });

  test("a right click opens a channel's menu, and the menu key a topic's", async () => {
    const row = "nav [data-channel] a[data-row]";
    await mel.click(row, { button: "right" });
    await choose("Pin to the top");
    await mel.until("document.querySelector('nav section[aria-label=\"Pinned channels\"]') !== null");
    await mel.click(row, { button: "right" });
    await mel.tab.waitForSelector("[role=menuitemcheckbox][aria-checked=true]");
    await choose("Pin to the top");
    await mel.until("document.querySelector('nav section[aria-label=\"Pinned channels\"]') === null");
    await mel.tab.focus("nav a[data-topic]");
    await mel.press("ContextMenu");
    await choose("Follow");
    await mel.until("document.querySelector('nav a[data-topic] [aria-label=followed]') !== null");
    expect(await faultsOf(mel.page)).toEqual([]);
  });
});

describe("a topic", () => {
  test("is deleted from its menu for everybody, by a user with the permission", async () => {
    for (const text of ["the old plan", "nobody needs it"]) await w.post("max", "harbour", "stale", text);
    await Promise.all([mel.go(topic("stale")), max.go(topic("stale"))]);
    await Promise.all([mel.sees("nobody needs it"), max.sees("nobody needs it")]);
    const menu = async () => {
      await mel.tab.focus('[aria-label="More about this topic"]');
      await mel.press("Enter");
      await mel.tab.waitForSelector("[role=menu]");
    };
    await menu();
    const last = "document.querySelector('[role=menuitem]:last-of-type')?.textContent";
    expect(await mel.tab.evaluate(last)).toBe("Copy link");
    await mel.press("Escape");
    await mel.until("document.querySelector('[role=menu]') === null");

    const group = { direct_members: [w.people.mel?.id], direct_subgroups: [] };
    await w.ask("olive", ["PATCH", `/streams/${harbour}`], { can_delete_any_message_group: { new: group } });
    await menu();
    while ((await mel.tab.evaluate(last)) !== "Delete the topic …") {
      await mel.press("Escape");
      await mel.until("document.querySelector('[role=menu]') === null");
      await menu();
    }
    expect(await faultsOf(mel.page)).toEqual([]);
    await mel.press("End", "Enter");
    await mel.tab.waitForSelector("[role=dialog]");
    expect(await faultsOf(mel.page)).toEqual([]);
    await (await mel.page.find('aria/Delete the topic[role="button"]'))?.press("Enter");
    await mel.sees("The topic stale is deleted.");
    await mel.until(title("harbour"));
    await max.missed("nobody needs it");
    const { topics } = await w.ask("max", ["GET", `/users/me/${harbour}/topics`]);
    expect((topics as { name: string }[]).map(({ name }) => name)).not.toContain("stale");
  });
});

describe("every key that the list of keys shows", () => {
  const inTopic = () => mel.go(topic("keys"));
  const atMessage = async () => {
    await inTopic();
    await mel.until(`${title("keys")} && document.querySelector('[data-message="${own}"]') !== null`);
    await mel.tab.evaluate(`document.querySelector('[data-message="${own}"]').focus()`);
  };
  const longPane =
    "[...document.querySelectorAll('#view *')].find((one) => one.scrollHeight > one.clientHeight + 200 && getComputedStyle(one).overflowY === 'auto')";
  /** Opens a view that is longer than the window. */
  const openLongView = async () => {
    await mel.go("#settings/notifications");
    await mel.until(`${longPane} !== undefined`);
    await mel.tab.evaluate(`${longPane}.id = 'pane'`);
  };
  const isOpen = (view: string) => title(view);
  const flags = async (id: number) =>
    ((await w.ask("mel", ["GET", `/messages/${id}`])).message as { flags: string[] }).flags;
  const eventually = async (check: () => Promise<boolean>) => {
    while (!(await check())) await Bun.sleep(20);
  };
  const policy = async () => {
    const { user_topics = [] } = await w.ask("mel", ["POST", "/register"], {
      fetch_event_types: ["user_topic"],
    });
    const found = (user_topics as { topic_name: string; visibility_policy: number }[]).find(
      ({ topic_name }) => topic_name === "keys",
    );
    return found?.visibility_policy ?? 0;
  };
  const dialog = "document.querySelector('[role=dialog]')";
  let own = 0;
  beforeAll(async () => {
    await w.post("max", "harbour", "keys", "the first");
    own = await w.post("mel", "harbour", "keys", "my own");
    await mel.tab.evaluate("localStorage.removeItem('panel')");
  });

  /** By command name: the keys to press, and what shows that the command worked. */
  const tried: Record<string, [before: () => Promise<unknown>, after: string | (() => Promise<unknown>)]> = {
    "Go to anything": [inTopic, `${dialog}?.innerText.includes('Go to')`],
    "Search messages": [inTopic, isOpen("Search")],
    Inbox: [inTopic, isOpen("Inbox")],
    "Recent conversations": [inTopic, isOpen("Recent conversations")],
    "Combined feed": [inTopic, isOpen("Combined feed")],
    Drafts: [inTopic, isOpen("Drafts")],
    "Next unread conversation": [
      async () => {
        await w.post("max", "harbour", "next", "unread");
        await mel.go("#inbox");
        await mel.sees("next");
      },
      "location.hash.startsWith('#narrow/')",
    ],
    "Previous unread conversation": [
      async () => {
        await w.post("max", "harbour", "next", "unread");
        await mel.go("#inbox");
        await mel.sees("next");
      },
      "location.hash.startsWith('#narrow/')",
    ],
    "Next conversation of the sidebar": [
      () => mel.go("#inbox"),
      "document.querySelector('nav [aria-current=page]')?.dataset.conversation !== undefined",
    ],
    "Previous conversation of the sidebar": [
      inTopic,
      `document.querySelector('nav [aria-current=page]')?.dataset.conversation !== undefined && !(${title("keys")})`,
    ],
    "Next unread direct message": [
      async () => {
        await w.write("max", ["mel"], "psst");
        await mel.go("#inbox");
        await mel.sees("psst");
      },
      title("Max"),
    ],
    "Leave the field, and go on by keyboard": [
      async () => {
        await inTopic();
        await mel.until(`${title("keys")} && document.querySelector('article') !== null`);
        await mel.tab.focus("[data-composer]");
      },
      "document.activeElement?.matches('article')",
    ],
    "Home view": [inTopic, isOpen("Inbox")],
    "Next message, or next row of a list": [inTopic, "document.activeElement?.matches('article')"],
    "Previous message, or previous row of a list": [inTopic, "document.activeElement?.matches('article')"],
    "Newest message, or end of the list": [inTopic, `document.activeElement?.dataset.message === '${"OWN"}'`],
    "First message, or start of the list": [inTopic, "/the first/.test(document.activeElement?.innerText)"],
    "A page further": [
      async () => {
        await openLongView();
        await mel.tab.evaluate("document.querySelector('#pane').scrollTo(0, 0)");
      },
      "document.querySelector('#pane').scrollTop > 100",
    ],
    "A page back": [
      async () => {
        await openLongView();
        await mel.tab.evaluate("document.querySelector('#pane').scrollTo(0, 1e5)");
      },
      "(({ scrollTop, scrollHeight, clientHeight }) => scrollTop < scrollHeight - clientHeight - 100)(document.querySelector('#pane'))",
    ],
    "Star, or remove the star": [
      atMessage,
      () => eventually(async () => (await flags(own)).includes("starred")),
    ],
    "React with a thumb up": [
      atMessage,
      "document.querySelector('article li button[aria-pressed=true]') !== null",
    ],
    "Edit the message": [atMessage, "document.activeElement?.value === 'my own'"],
    Quote: [atMessage, "/my own/.test(document.querySelector('[data-composer]')?.value)"],
    React: [atMessage, `${dialog} !== null`],
    "All that one can do with the message": [atMessage, "document.querySelector('[role=menu]') !== null"],
    "Who wrote it": [atMessage, `/mel@example.com/.test(${dialog}?.innerText)`],
    "Mark as unread from here": [
      atMessage,
      () => eventually(async () => !(await flags(own)).includes("read")),
    ],
    "Open the message's conversation": [
      async () => {
        await mel.go("#feed");
        await mel.tab.waitForSelector(`[data-message="${own}"]`);
        await mel.tab.evaluate(`document.querySelector('[data-message="${own}"]').focus()`);
      },
      "location.hash.includes('topic/keys/near/')",
    ],
    "Mark the conversation as read": [
      async () => {
        await atMessage();
        await mel.press("Shift+U");
        await eventually(async () => !(await flags(own)).includes("read"));
      },
      () => eventually(async () => (await flags(own)).includes("read")),
    ],
    "Follow the topic, or no longer": [atMessage, () => eventually(async () => (await policy()) === 3)],
    "Mute the topic, or no longer": [atMessage, () => eventually(async () => (await policy()) === 1)],
    "Topics of the channel": [inTopic, isOpen("harbour")],
    "People and details, beside the conversation": [inTopic, `${panel} !== null`],
    "Write a message": [inTopic, "document.activeElement?.matches('[data-composer]')"],
    Reply: [inTopic, "document.activeElement?.matches('[data-composer]')"],
    "New direct message": [inTopic, `/New message/.test(${dialog}?.innerText)`],
    "Keyboard shortcuts": [inTopic, `/Keyboard shortcuts/.test(${dialog}?.innerText)`],
  };

  test("works", async () => {
    await mel.go("#keyboard-shortcuts");
    await mel.tab.waitForSelector("[role=dialog] dt");
    const shown = (await mel.tab.$$eval("[role=dialog] dl > div", (rows) =>
      rows.flatMap((row) =>
        [...row.querySelectorAll("kbd")].map((keys) => [
          row.querySelector("dt")?.textContent ?? "",
          keys.textContent ?? "",
        ]),
      ),
    )) as [string, string][];
    const all = [...new Set(shown.map(([name]) => name))];
    expect(all.toSorted()).toEqual(Object.keys(tried).toSorted());
    const names: Record<string, string> = {
      ...{ Ctrl: "Control", Esc: "Escape", "Page Down": "PageDown", "Page Up": "PageUp" },
      ...{ "↓": "ArrowDown", "↑": "ArrowUp" },
    };
    for (const [name, keys] of shown) {
      const [before, after] = tried[name] ?? [inTopic, "true"];
      await mel.go("#drafts");
      await mel.until(title("Drafts"));
      await mel.tab.evaluate("document.activeElement?.blur()");
      await before();
      await mel.until(`${dialog} === null`);
      if (before === inTopic)
        await mel.until(`${title("keys")} && document.querySelector('article') !== null`);
      const parts = keys.split(/ (?!Down|Up)/).map((part) => names[part] ?? part);
      const last = parts.pop() ?? "";
      const isLetter = /^[A-Z]$/.test(last);
      const key = isLetter && !parts.includes("Shift") ? last.toLowerCase() : last;
      await mel.press([...parts, ...(/^[?>:+]$/.test(last) ? ["Shift"] : []), key].join("+"));
      try {
        await (typeof after === "string" ? mel.until(after.replace("OWN", String(own))) : after());
      } catch (error) {
        throw new Error(`${name}, ${keys}: ${error}`);
      }
      for (let i = 0; i < 3 && (await mel.tab.$("[role=dialog], [role=menu], textarea:focus")); i++) {
        await mel.press("Escape");
        await mel.tab.evaluate(
          "document.activeElement?.matches('textarea') && document.activeElement.blur()",
        );
      }
    }
  }, 240_000);
});

describe("nothing but panes scrolls", () => {
  beforeAll(async () => {
    for (let i = 0; i < 60; i++) await w.post("max", "harbour", `t${i}`, "unread");
  }, 240_000);

  const views = ["#inbox", "#recent", "#drafts", "#channels", "#settings/account", "#groups", "#feed"];
  /** Whether the page or its frame is scrolled, or can be. */
  const scrolled =
    "[document.scrollingElement, document.body, document.getElementById('root').firstElementChild].map((one) => " +
    "{ const before = [one.scrollTop, one.scrollLeft]; one.scrollTo(1e5, 1e5); return [...before, one.scrollTop, one.scrollLeft]; })" +
    ".flat().some((n) => n > 0)";

  test.each([
    [1440, 900],
    [1280, 600],
    [390, 844],
    [320, 480],
  ])("with many unread conversations, by any key and the wheel, at %d x %d", async (width, height) => {
    const seat = await w.sit("olive", "", { width, height });
    for (const view of [...views, `#narrow/channel/${harbour}-harbour`, topic("t1")]) {
      await seat.go(view);
      await seat.tab.waitForSelector("main h1, main [data-view-title]");
      for (const key of ["End", "PageDown", "Space", "Home", "Tab", "Tab", "End"]) await seat.press(key);
      const composer = await seat.tab.$("[data-composer]");
      if (composer) await composer.hover();
      await seat.tab.mouse.wheel({ deltaY: 2000 });
      await seat.tab.evaluate(
        "new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))",
      );
      expect([view, await seat.tab.evaluate(scrolled)]).toEqual([view, false]);
    }
    await seat.tab.close();
  });
});
