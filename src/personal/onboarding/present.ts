// What newcomers are told: where conversations are, what to do first, and which clients work here.
import { remarkOnLinks } from "@/foundation/realm/schema.ts";

/** Where a client logs in; a null site where the server has not run yet. */
export interface Login {
  site: string | null;
  email: string;
}

/** A client that works with this server, and the two lines that it takes. */
export interface ClientGuide {
  device: string;
  lines: readonly [string, string];
  /** Whether the lines are typed into a shell; the client then asks for server, address and password. */
  isTyped: boolean;
}

const isLoopback = (site: string) => /^https?:\/\/(localhost|127\.[\d.]+|\[::1\])(:|\/|$)/i.test(site);

/** The address of the server in a sentence. */
function serverName(site: string | null): string {
  if (site === null) return "the address of this server";
  return isLoopback(site) ? `${site} (which only the server's own machine reaches)` : site;
}

/** The clients that exist, for somebody who logs in there. */
export function clientGuides({ site, email }: Login): ClientGuide[] {
  return [
    {
      device: "Phone",
      lines: [
        "Install the app Zulip from your phone's app store.",
        `Enter ${serverName(site)} as the organization, then log in as ${email} with your password.`,
      ],
      isTyped: false,
    },
    {
      device: "Terminal, with zulip-terminal",
      lines: ["pip install zulip-term", "zulip-term"],
      isTyped: true,
    },
  ];
}

const asksForTheSame = "It asks for the same server, address and password.";

/** The clients as Markdown. */
function clientsInMarkdown({ site, email }: Login): string {
  const guides = clientGuides({ site, email: `\`${email}\`` }).map(({ device, lines, isTyped }) =>
    isTyped
      ? `* **${device}**. ${asksForTheSame}\n\n\`\`\`\n${lines.join("\n")}\n\`\`\``
      : `* **${device}**. ${lines.join(" ")}`,
  );
  return guides.join("\n");
}

/** The clients as plain text. */
export function clientsInText(login: Login): string {
  const guides = clientGuides(login).map(({ device, lines, isTyped }) => {
    const heading = isTyped ? `${device}. ${asksForTheSame}` : `${device}:`;
    return [heading, ...lines.map((line) => `    ${line}`)].join("\n");
  });
  return guides.join("\n\n");
}

export interface Arrival extends Login {
  organization: string;
  /** A channel that the person is in; null where there is none. */
  channel: string | null;
  isOwner: boolean;
  /** Whether the person can log in by one already. */
  hasPassword: boolean;
}

const ownersPart = [
  "**This organization is yours.** In a terminal on the server's machine:",
  "",
  "* `confab invite link` makes a link by which people join. Send it to your team.",
  "* `confab channel create NAME` opens a channel, and `confab default add-channel NAME` gives it to all who join.",
  "* `confab console` shows and changes everything.",
].join("\n");

/** The first message that somebody receives, in Markdown. */
export function welcomeText({ organization, channel, isOwner, hasPassword, ...login }: Arrival): string {
  const steps = [
    ...(channel === null ? [] : [`Say hello in #**${channel}>${greetingsTopic}**.`]),
    "Look through the channels, and subscribe to those that concern you.",
    "Mute topics that are not for you, and follow those that you want to hear everything of.",
    "Add a picture to your profile, and set your time zone.",
  ];
  const noPassword =
    "Clients ask for a password, and your account has none yet. On the server's machine, " +
    `\`confab user password ${login.email}\` sets one.`;
  return [
    `Hello, and welcome to ${organization}! I am a bot, so nobody reads what you answer here. This is what helps at the start.`,
    "**How conversations are kept apart.** A *channel* is for a team, a project or an interest. In a channel each message " +
      "belongs to a *topic*: the one thing that it is about. So you read what concerns you, and find it again. What is " +
      "meant for a few people alone goes to them as a direct message.",
    ...(isOwner ? [ownersPart] : []),
    `**What to do first**\n\n${steps.map((step, i) => `${i + 1}. ${step}`).join("\n")}`,
    `**Clients that work here**\n\n${clientsInMarkdown(login)}`,
    ...(hasPassword ? [] : [noPassword]),
    ...remarkOnLinks(login.site),
  ].join("\n\n");
}

const greetingsTopic = "greetings";

/** The channel that an organization begins with, and what stands in it, the oldest first. */
export const firstChannel = {
  name: "general",
  description: "For everybody: news, questions, and what has no channel of its own yet.",
  topics: [
    {
      topic: "trying things out",
      content: [
        "Nothing that is written in this topic matters, so try anything here:",
        "",
        "* `**bold**`, `*italic*` and `~~struck~~` become **bold**, *italic* and ~~struck~~.",
        "* Three backquotes on the lines above and below make a block of code.",
        "* Type `@` to mention somebody, `#` to link to a channel or topic, and `:` to find an emoji. :tada:",
        "* Edit a message, react to it, move it to another topic, or delete it.",
      ].join("\n"),
    },
    {
      topic: "how topics work",
      content: [
        "Each message in a channel belongs to a topic, as a mail has a subject. This one is in the topic **how topics work**.",
        "",
        "* Start a topic for each new question. Its answers stay with it, however much else is going on.",
        "* Move messages that belong elsewhere, and mark a topic as resolved when it is settled.",
        "* Come back after a week, and read only the topics that concern you.",
      ].join("\n"),
    },
    {
      topic: greetingsTopic,
      content: "Say hello to the others: who you are, and what you work on. :wave:",
    },
  ],
} as const;
