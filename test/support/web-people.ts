// An organization on the real executable, whose people use real browsers.
import type { ElementHandle, Page as Tab } from "puppeteer-core";
import { type Browser, type Look, type Page, startBrowser } from "./browser.ts";
import {
  type Credentials,
  call,
  cleanUp,
  commandsHere,
  newFolder,
  type Server,
  serve,
} from "./executable.ts";
import { until } from "./waiting.ts";

const password = "correct horse battery";
const desktop: Look = { width: 1280, height: 860, colours: "light", scripts: true };

export interface Person extends Credentials {
  id: number;
}

export interface WebOrganization {
  /** The data folder. */
  data: string;
  server: Server;
  browser: Browser;
  people: Readonly<Record<string, Person>>;
  /** A request of the API as one of them; fails if it is refused. */
  ask(
    who: string,
    request: readonly [method: string, path: string],
    params?: Record<string, unknown>,
  ): Promise<Record<string, unknown>>;
  /** Its owner creates a channel with these subscribers; returns its ID. */
  channel(name: string, subscribers: readonly string[], more?: Record<string, unknown>): Promise<number>;
  /** Sends a message to a channel's topic; returns its ID. */
  post(who: string, channel: string, topic: string, content: string): Promise<number>;
  write(who: string, to: readonly string[], content: string): Promise<number>;
  /** A person's own browser, signed in, at this address; by a proxy if its URL is given. */
  sit(who: string, hash?: string, look?: Partial<Look>, url?: string): Promise<Seat>;
  /** As `sit`, in the window that the last visit of this person with this look opened: opening one costs more than a second. */
  visit(who: string, hash: string, look?: Partial<Look>): Promise<Seat>;
  /** As `sit`, for somebody who opens a link to this address while signed out. */
  arrive(who: string, hash: string, look?: Partial<Look>, url?: string): Promise<Seat>;
  close(): Promise<void>;
}

export interface Seat {
  page: Page;
  tab: Tab;
  /** As that of the page. */
  click: Page["click"];
  go(hash: string): Promise<void>;
  /** Leaves the view, with what was typed there and what lies over it, and dismisses the notices. */
  leave(): Promise<void>;
  /** Waits until the page contains this text. */
  sees(text: string | RegExp): Promise<void>;
  /** Waits until the page no longer contains it. */
  missed(text: string): Promise<void>;
  /** Waits until the expression, run in the page, is true. */
  until(expression: string): Promise<void>;
  /** Presses keys one after another: "Control+K", "j". */
  press(...keys: string[]): Promise<void>;
  /** Addresses of other sites that the page requested. */
  readonly strangers: readonly string[];
}

/** Opens an organization with these people; the first one is its owner. */
export function webOrganization(...names: readonly string[]): Promise<WebOrganization> {
  return organizationOf(names, []);
}

/** As `webPeople`, on a server where visitors may read some channels. */
export function organizationOnTheWeb(...names: readonly string[]): Promise<WebOrganization> {
  return organizationOf(names, ["--web-public-channels"]);
}

/** As `webOrganization`, on a server that also previews what links to this machine. */
export function organizationWithPreviews(...names: readonly string[]): Promise<WebOrganization> {
  return organizationOf(names, ["--preview-networks", "127.0.0.1"]);
}

/** As `webOrganization`, on a server that sends its mails by the server at this URL. */
export function organizationWithMail(url: string, ...names: readonly string[]): Promise<WebOrganization> {
  return organizationOf(names, ["--smtp-url", url, "--mail-from", "confab@example.com"]);
}

async function organizationOf(
  names: readonly string[],
  serverArgs: readonly string[],
): Promise<WebOrganization> {
  const data = newFolder();
  const [owner = "olive", ...others] = names;
  const addressOf = (name: string) => `${name}@example.com`;
  const shown = (name: string) => name.replace(/^./, (first) => first.toUpperCase());
  const { jsonHere } = await commandsHere();
  const made = await jsonHere<{ owner: Credentials }>([
    ...["init", "--data", data, "--org", "Harbour", "--owner-email", addressOf(owner)],
    ...["--owner-name", shown(owner)],
  ]);
  const people: Record<string, Credentials> = { [owner]: made.owner };
  for (const name of others) {
    const person = ["--email", addressOf(name), "--name", shown(name), "--password-stdin", "--data", data];
    const { api_key } = await jsonHere<{ api_key: string }>(["user", "create", ...person], `${password}\n`);
    people[name] = { email: addressOf(name), api_key };
  }
  await letSignIn(data, addressOf(owner));
  const [server, browser] = await Promise.all([serve(data, serverArgs), startBrowser()]);
  return organizationAt({ data, server, browser, people });
}

/**
 * The organization of a server that runs already: some of its people, who have the password of these tests, the first of them an owner.
 * Their IDs are looked up.
 */
export async function organizationAt({
  data,
  server,
  browser,
  people: given,
}: Pick<WebOrganization, "data" | "server" | "browser"> & {
  people: Readonly<Record<string, Credentials>>;
}): Promise<WebOrganization> {
  const names = Object.keys(given);
  const [owner = ""] = names;
  const people: Record<string, Person> = {};

  const ask: WebOrganization["ask"] = async (who, request, params = {}) => {
    const text = Object.entries(params).map(([name, value]) => [
      name,
      typeof value === "string" ? value : JSON.stringify(value),
    ]);
    const { status, body } = await call(server, people[who] as Person, request, Object.fromEntries(text));
    if (status !== 200) throw new Error(`${request.join(" ")}: ${JSON.stringify(body)}`);
    return body;
  };
  const emailOf = (who: string) => (people[who] as Person).email;
  const idsOf = (who: readonly string[]) => who.map((name) => people[name]?.id);
  for (const name of names) {
    people[name] = { ...(given[name] as Credentials), id: 0 };
    people[name].id = Number((await ask(name, ["GET", "/users/me"])).user_id);
  }
  // Nobody is new: what leads through the first day is for test/web/first-day.test.ts.
  const seen = { onboarding_step: "intro_inbox_view_modal" };
  await Promise.all(names.map((name) => ask(name, ["POST", "/users/me/onboarding_steps"], seen)));

  const sit: WebOrganization["sit"] = async (who, hash = "", look = {}, url = server.url) => {
    const enter = async (page: Page) => {
      await takeSession(page, url, emailOf(who));
      await page.open(`${url}/`);
    };
    const seated = await seat(browser, { url, enter }, { ...desktop, ...look });
    if (hash !== "") await seated.go(hash);
    return seated;
  };
  const visits = new Map<string, Seat>();

  return {
    data,
    server,
    browser,
    people,
    ask,
    channel: async (name, subscribers, more = {}) => {
      const params = { name, subscribers: idsOf(subscribers), ...more };
      return Number((await ask(owner, ["POST", "/channels/create"], params)).id);
    },
    post: async (who, channel, topic, content) =>
      Number((await ask(who, ["POST", "/messages"], { type: "channel", to: channel, topic, content })).id),
    write: async (who, to, content) =>
      Number((await ask(who, ["POST", "/messages"], { type: "direct", to: idsOf(to), content })).id),
    sit,
    visit: async (who, hash, look = {}) => {
      const key = JSON.stringify([who, look]);
      const known = visits.get(key);
      if (!known) {
        const seated = await sit(who, hash, look);
        visits.set(key, seated);
        return seated;
      }
      await known.leave();
      await known.go(hash);
      return known;
    },
    arrive: (who, hash, look = {}, url = server.url) => {
      const enter = async (page: Page) => {
        await page.open(`${url}/${hash}`);
        await signIn(page, emailOf(who));
      };
      return seat(browser, { url, enter }, { ...desktop, ...look });
    },
    close: async () => {
      await browser.close();
      await cleanUp();
    },
  };
}

/** Opens a page in which `enter` leads to the client. */
async function seat(
  browser: Browser,
  { url, enter }: { url: string; enter: (page: Page) => Promise<void> },
  look: Look,
): Promise<Seat> {
  const page = await browser.page(look);
  const { tab } = page;
  const strangers: string[] = [];
  tab.on("request", (request) => {
    const address = request.url();
    if (!address.startsWith(`${url}/`) && !/^(data|blob):/.test(address)) strangers.push(address);
  });
  const faults: string[] = [];
  tab.on("pageerror", (error) => faults.push(String(error instanceof Error ? error.stack : error)));
  await enter(page);
  const until = async (expression: string) => {
    await tab.waitForFunction(expression, { polling: 40 }).catch(async () => {
      const [hash, seen] = (await tab.evaluate(
        "[location.hash, document.title + ' ' + document.body.innerText]",
      )) as string[];
      throw new Error([`Never true at "${hash}": ${expression}`, `in ${seen}`, ...faults].join("\n"));
    });
  };
  await until(
    "document.querySelector('[data-view-title]') !== null || innerWidth < 720 && document.querySelector('nav') !== null",
  );
  const go = async (to: string) => {
    await tab.evaluate(`location.hash = ${JSON.stringify(to)}`);
    // Unless it is in the background, the page has drawn the view, so the next keys reach it.
    await tab.evaluate(
      "new Promise((done) => { requestAnimationFrame(() => requestAnimationFrame(done)); setTimeout(done, 500); })",
    );
  };
  const text = "document.body.innerText";
  const leave = async () => {
    await go("#recent");
    await until("document.querySelector('[role=dialog]') === null");
    await tab.evaluate(
      "document.querySelectorAll('[aria-live=polite] > div > button:last-child').forEach((one) => one.click())",
    );
  };
  return {
    page,
    tab,
    go,
    leave,
    until,
    strangers,
    click: page.click,
    sees: (wanted) =>
      until(
        typeof wanted === "string"
          ? `${text}.includes(${JSON.stringify(wanted)})`
          : `${wanted}.test(${text})`,
      ),
    missed: (unwanted) => until(`!${text}.includes(${JSON.stringify(unwanted)})`),
    press: async (...keys) => {
      for (const combination of keys) {
        const parts = combination.split(/\+(?=.)/) as Parameters<Tab["keyboard"]["press"]>[0][];
        for (const key of parts.slice(0, -1)) await tab.keyboard.down(key);
        await tab.keyboard.press(parts.at(-1) as (typeof parts)[number]);
        for (const key of parts.slice(0, -1).toReversed()) await tab.keyboard.up(key);
      }
    },
  };
}

/** Gives somebody the password of these tests. */
export async function letSignIn(data: string, email: string): Promise<void> {
  await (await commandsHere()).runHere(["user", "password", email, "--data", data], `${password}\n`);
}

/** Gives a browser a session of somebody, as signing in on the page does, in a fraction of the time. */
async function takeSession({ tab }: Page, url: string, email: string): Promise<void> {
  const headers = { "user-agent": String(await tab.evaluate("navigator.userAgent")) };
  const body = new URLSearchParams({ username: email, password });
  const answer = await fetch(`${url}/login`, { method: "POST", headers, body });
  if (answer.status !== 200) throw new Error(`${email} could not sign in: ${await answer.text()}`);
  const cookies = answer.headers.getSetCookie().map((text) => {
    const { name, value, path, httpOnly = false, sameSite, maxAge } = Bun.Cookie.parse(text);
    const lasts = maxAge == null ? {} : { expires: Date.now() / 1000 + maxAge };
    const rules = {
      path,
      httpOnly,
      sameSite: sameSite === "strict" ? ("Strict" as const) : ("Lax" as const),
    };
    return { name, value, domain: new URL(url).hostname, ...rules, ...lasts };
  });
  await tab.browserContext().setCookie(...cookies);
}

/** Signs in on the page for that. */
export async function signIn(page: Page, email: string): Promise<void> {
  await page.tab.waitForSelector("#username");
  await page.fill("#username", email);
  await page.fill("#password", password);
  await page.tab.keyboard.press("Enter");
}

/** True in a page over whose view no dialog lies. */
export const noDialog = "document.querySelector('[role=dialog]') === null";

/** Clicks the button with this label, once it can be. */
export async function pressButton(seat: Seat, name: string): Promise<void> {
  await seat.click(`aria/${name}[role="button"]`);
}

/** Types into the empty field with this label, or instead of what stands there. */
export async function fill(seat: Seat, label: string, text: string): Promise<void> {
  await seat.click(`aria/${label}[role="textbox"]`, { count: 3 });
  await seat.tab.keyboard.type(text);
}

/** Types into what has the focus; starts lines by Shift+Enter, for Enter sends. */
export async function typeLines(seat: Seat, text: string): Promise<void> {
  for (const [at, line] of text.split("\n").entries()) {
    if (at > 0) await seat.press("Shift+Enter");
    await seat.tab.keyboard.type(line);
  }
}

/** Opens the menu of the newest message that contains this text, with the mouse. */
export async function openMenu(seat: Seat, text: string): Promise<void> {
  // A row that is drawn once more meanwhile is another one, and a banner moves all rows away from the mouse.
  const isPressed = async () => {
    const content = await contentOf(seat, text);
    await content?.hover();
    const button = await seat.tab.$("article[data-message]:hover [aria-label=More]");
    await button?.click();
    return button !== null;
  };
  await until(() => isPressed().catch(() => false), `the mouse is over "${text}", and presses its menu`);
  await seat.tab.waitForSelector("[role=menu]");
}

/** The content of the newest message that contains this text. */
export async function contentOf(seat: Seat, text: string): Promise<ElementHandle | undefined> {
  const words = `innerText.includes(${JSON.stringify(text)})`;
  const at = `[...document.querySelectorAll("article[data-message]")].findLastIndex((one) => one.${words})`;
  const newest = (await seat.tab.$$("article[data-message]"))[Number(await seat.tab.evaluate(at))];
  return (await newest?.$(".message-content")) ?? undefined;
}

/** Opens that menu, and chooses a row. */
export async function choose(seat: Seat, text: string, row: string): Promise<void> {
  await openMenu(seat, text);
  await seat.click(`aria/${row}[role="menuitem"]`);
}

/** Chooses what has these words in the field with this label, once it is there. */
export async function chooseOption(seat: Seat, label: string, words: string): Promise<void> {
  const field = await seat.page.find(`aria/${label}[role="combobox"]`);
  const findValue = (select: unknown, text: string) =>
    [...(select as { options: Iterable<{ text: string; value: string }> }).options].find(
      (one) => one.text === text,
    )?.value ?? null;
  const value = await until(() => field?.evaluate(findValue, words), `"${label}" offers "${words}"`);
  await (field as ElementHandle<Element> | null)?.select(value);
}
