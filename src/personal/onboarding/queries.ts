import { allow, me } from "@/foundation/permissions/access.ts";
import { realmSettings, remarkOnLinks } from "@/foundation/realm/schema.ts";
import type { Ctx } from "@/kernel/core/context.ts";
import { query } from "@/kernel/core/operation.ts";
import { lastMessageId } from "@/messaging/messages/access.ts";
import type { Translator } from "@/text/language/translator.ts";
import { isLoopback } from "@/text/links/schema.ts";
import { type OnboardingStep, stepNames } from "./schema.ts";
import { findSeenSteps } from "./store.ts";

/** The steps that the actor has not seen yet. */
export function remainingSteps(ctx: Ctx): OnboardingStep[] {
  const seen = findSeenSteps(ctx, me(ctx).id);
  return stepNames.filter((name) => !seen.has(name)).map((name) => ({ type: "one_time_notice", name }));
}

/** Whether no server has run on this data yet, or nobody has sent a message. */
export const isUnused = query(
  allow.system,
  (ctx): boolean => realmSettings.read(ctx).site === "" || lastMessageId(ctx) === 0,
);

/** Where a client signs in; `site` is null if the server has not run yet. */
export interface LoginFacts {
  site: string | null;
  email: string;
  /** Whether people may sign in by password. */
  takesPasswords: boolean;
}

/** A client that works with this server, and the two steps to use it. */
interface ClientGuide {
  device: string;
  lines: readonly [string, string];
  /** Whether the steps are shell commands; the client then asks for server, address and password. */
  isTyped: boolean;
}

/** The server's address as part of a sentence. */
function serverName({ t }: Translator, site: string | null): string {
  if (site === null) return t("the address of this server");
  return isLoopback(site) ? t("{site} (reachable only from the server's own machine)", { site }) : site;
}

/** The clients that work with this server, with instructions for this user. */
function clientGuides(translator: Translator, { site, email, takesPasswords }: LoginFacts): ClientGuide[] {
  const { t } = translator;
  const server = serverName(translator, site);
  const guides: ClientGuide[] = [
    {
      device: t("Browser"),
      lines: [
        t("Open {server}", { server }),
        takesPasswords
          ? t("Sign in as {email} with your password.", { email })
          : t("Sign in as {email}.", { email }),
      ],
      isTyped: false,
    },
    {
      device: t("Phone"),
      lines: [
        t("Install the app Zulip from your phone's app store."),
        takesPasswords
          ? t("Enter {server} as the organization, then log in as {email} with your password.", {
              server,
              email,
            })
          : t("Enter {server} as the organization, then log in as {email}.", { server, email }),
      ],
      isTyped: false,
    },
  ];
  if (takesPasswords) {
    const lines = ["pip install zulip-term", "zulip-term"] as const;
    guides.push({
      device: t("Terminal, with {program}", { program: "zulip-terminal" }),
      lines,
      isTyped: true,
    });
  }
  return guides;
}

const asksForLogin = "{device}. It asks for the same server, address and password.";

function clientsInMarkdown(translator: Translator, login: LoginFacts): string {
  const { t } = translator;
  const found = clientGuides(translator, { ...login, email: `\`${login.email}\`` });
  const guides = found.map(({ device, lines, isTyped }) =>
    isTyped
      ? `* ${t(asksForLogin, { device: `**${device}**` })}\n\n\`\`\`\n${lines.join("\n")}\n\`\`\``
      : `* **${device}**\n${lines.map((line) => `  * ${line}`).join("\n")}`,
  );
  return guides.join("\n");
}

export function clientsInText(translator: Translator, login: LoginFacts): string {
  const { t } = translator;
  const guides = clientGuides(translator, login).map(({ device, lines, isTyped }) => {
    const heading = isTyped ? t(asksForLogin, { device }) : t("{label}:", { label: device });
    return [heading, ...lines.map((line) => `    ${line}`)].join("\n");
  });
  return guides.join("\n\n");
}

export interface Arrival extends LoginFacts {
  organization: string;
  /** A channel that the user is subscribed to, or null. */
  channel: string | null;
  /** The topic for saying hello there. */
  greetings: string;
  isOwner: boolean;
  /** Whether the user has a password to log in with. */
  hasPassword: boolean;
}

function ownersPart({ t }: Translator): string {
  return [
    t(
      "**This organization is yours.** In the browser, *Organization* > *Invitations* makes a link to join: send it to your team. In a terminal on the server's machine:",
    ),
    "",
    `* ${t("`confab invite link` makes such a link, too.")}`,
    `* ${t("`confab channel create NAME` creates a channel, and `confab default add-channel NAME` subscribes everyone who joins to it.")}`,
    `* ${t("`confab console` shows and changes everything.")}`,
  ].join("\n");
}

/** The first message that a new user receives, in Markdown. */
export function welcomeText(
  translator: Translator,
  { organization, channel, greetings, isOwner, hasPassword, ...login }: Arrival,
): string {
  const { t } = translator;
  const steps = [
    ...(channel === null ? [] : [t("Say hello in {place}.", { place: `#**${channel}>${greetings}**` })]),
    t("Browse the channels, and subscribe to those that interest you."),
    t("Mute topics that do not interest you, and follow those where you want to miss nothing."),
    t("Add a picture to your profile, and set your time zone."),
  ];
  const noPassword = t(
    "Clients ask for a password, and your account has none yet. Where you are signed in in a browser, choose one in the settings under *Account*. On the server's machine, {command} sets one.",
    { command: `\`confab user password ${login.email}\`` },
  );
  return [
    t(
      "Hello, and welcome to {organization}! I am a bot, so nobody reads your replies here. These are the first steps.",
      { organization },
    ),
    t(
      "**How conversations are organized.** A *channel* is for a team, a project or an interest. Each message in a channel has a *topic*, which says what it is about. So you can read just the conversations that concern you, and find them again later. For private conversations, send direct messages.",
    ),
    ...(isOwner ? [ownersPart(translator)] : []),
    `${t("**What to do first**")}\n\n${steps.map((step, i) => `${i + 1}. ${step}`).join("\n")}`,
    `${t("**Clients that work here**")}\n\n${clientsInMarkdown(translator, login)}`,
    ...(hasPassword || !login.takesPasswords ? [] : [noPassword]),
    ...remarkOnLinks(login.site).map((text) => t(text)),
  ].join("\n\n");
}

/** The topic of the first channel where people say hello. */
export const greetingsTopic = ({ t }: Translator) => t("greetings");

interface FirstChannel {
  name: string;
  description: string;
  topics: { topic: string; content: string }[];
}

/** The first channel of a new organization, with its messages, the oldest first. */
export function firstChannel(translator: Translator): FirstChannel {
  const { t } = translator;
  return {
    name: t("general"),
    description: t("For everyone: news, questions, and everything without a channel of its own."),
    topics: [
      {
        topic: t("trying things out"),
        content: [
          t("This topic is for trying things out:"),
          "",
          `* ${t("`**bold**`, `*italic*` and `~~strikethrough~~` become **bold**, *italic* and ~~strikethrough~~.")}`,
          `* ${t("Put three backticks on the lines above and below to make a code block.")}`,
          `* ${t("Type `@` to mention somebody, `#` to link to a channel or topic, and `:` to find an emoji. :tada:")}`,
          `* ${t("Edit a message, react to it, move it to another topic, or delete it.")}`,
        ].join("\n"),
      },
      {
        topic: t("how topics work"),
        content: [
          t(
            "Each message in a channel has a topic, as an email has a subject. This one is in the topic {topic}.",
            {
              topic: `**${t("how topics work")}**`,
            },
          ),
          "",
          `* ${t("Start a topic for each new question. The answers stay together, however busy the channel is.")}`,
          `* ${t("Move messages that belong elsewhere, and mark a topic as resolved when it is settled.")}`,
          `* ${t("After a week away, read only the topics that concern you.")}`,
        ].join("\n"),
      },
      {
        topic: greetingsTopic(translator),
        content: t("Say hello: who are you, and what do you work on? :wave:"),
      },
    ],
  };
}
