import { allow, me } from "@/foundation/permissions/access.ts";
import { roles } from "@/foundation/permissions/schema.ts";
import { takesPasswords, translatorToAll } from "@/foundation/realm/access.ts";
import { sendNotice } from "@/foundation/realm/hooks.ts";
import { realmSettings, serverOptions } from "@/foundation/realm/schema.ts";
import { setSite } from "@/foundation/realm-administration/actions.ts";
import { awaitsFirstVisit } from "@/foundation/sessions/access.ts";
import { translatorTo } from "@/foundation/user-settings/access.ts";
import { activePeople, myself, welcomeBot } from "@/foundation/users/access.ts";
import type { Tx } from "@/kernel/core/context.ts";
import { to } from "@/kernel/core/events.ts";
import { actingAs, action, operation } from "@/kernel/core/operation.ts";
import { createChannelAtOnce } from "@/places/channel-administration/actions.ts";
import { findChannel } from "@/places/channels/access.ts";
import { directConversation } from "@/places/conversations/access.ts";
import { defaultChannelIds } from "@/places/default-channels/access.ts";
import { firstChannel, greetingsTopic, remainingSteps, welcomeText } from "./queries.ts";
import { type StepName, stepsChanged } from "./schema.ts";
import * as store from "./store.ts";

/** Records that the actor has seen a step, so that no client shows it again. */
export const markStepSeen = action(allow.user, (tx, step: StepName): void => {
  const user = me(tx).id;
  if (store.findSeenSteps(tx, user).has(step)) return;

  store.insertSeen(tx, user, step);
  tx.emit(stepsChanged, to(user), { onboarding_steps: remainingSteps(tx) });
});

/** So many in one transaction: with many linkifiers, the message to each takes some milliseconds. */
const atOnce = 4;

/**
 * Creates the first channel of an unused organization, welcomes everyone in it, and stores the server's address last: a start that was
 * killed before that goes on where it ended.
 */
export const openOrganization = operation(allow.system, async (ctx, site: string): Promise<void> => {
  await openFirstChannel(ctx);
  const ids = activePeople(ctx).map(({ id }) => id);
  for (let from = 0; from < ids.length; from += atOnce)
    await welcomeAll(ctx, { ids: ids.slice(from, from + atOnce), site });
  await setSite(ctx, site);
});

const welcomeAll = action(
  allow.system,
  (tx, { ids, site }: { ids: readonly number[]; site: string }): void => {
    for (const id of ids) {
      const asPerson = actingAs(tx, { kind: "user", id, client: "Internal" });
      // The owner is welcomed once it is known who that is.
      if (!isWelcomed(asPerson) && !awaitsFirstVisit(tx, myself(asPerson))) welcome(asPerson, site);
    }
  },
);

function isWelcomed(tx: Tx): boolean {
  return directConversation(tx, [tx.actor.id, welcomeBot(tx).id]) !== null;
}

const openFirstChannel = action(allow.system, (tx): void => {
  const people = activePeople(tx);
  const owner = people.find(({ role }) => role === roles.owner);
  if (!owner || findChannel(tx, 1)) return;
  const asOwner = actingAs(tx, { kind: "user", id: owner.id, client: "Internal" });
  const { name, description, topics } = firstChannel(translatorToAll(tx));
  const subscribers = people.filter(({ role }) => role !== roles.guest).map(({ id }) => id);
  const { stream_id } = createChannelAtOnce.in(asOwner, {
    name,
    description,
    is_default_stream: true,
    subscribers,
  });
  for (const { topic, content } of topics) {
    sendNotice(asOwner, { to: { channelId: stream_id, topic }, content, from: welcomeBot(tx).id });
  }
});

/** Sends the actor the welcome message. If the server has never run, its first start does that instead. */
export function welcomeNewcomer(tx: Tx): void {
  const { site } = realmSettings.read(tx);
  if (site !== "" && !serverOptions.read(tx).no_welcome) welcome(tx, site);
}

/** Welcomes the owner of a new organization, given by ID, who has said who they are. */
export function welcomeOwner(tx: Tx, id: number): void {
  const asOwner = actingAs(tx, { kind: "user", id, client: "Internal" });
  if (!isWelcomed(asOwner)) welcomeNewcomer(asOwner);
}

function welcome(tx: Tx, site: string): void {
  const { name: organization } = realmSettings.read(tx);
  const { delivery_email: email, role, password_hash } = myself(tx);
  const [first] = role === roles.guest ? [] : defaultChannelIds(tx);
  const channel = first === undefined ? null : (findChannel(tx, first)?.name ?? null);
  const traits = { isOwner: role === roles.owner, hasPassword: password_hash !== null };
  const login = { site, email, takesPasswords: takesPasswords(tx) };
  const greetings = greetingsTopic(translatorToAll(tx));
  const arrival = { organization, channel, greetings, ...login, ...traits };
  const content = welcomeText(translatorTo(tx, tx.actor.id), arrival);
  sendNotice(tx, { to: { people: [tx.actor.id] }, content, from: welcomeBot(tx).id });
}

/** Part of erasing a person: deletes the hints that they have seen, at most `max`. Returns how many it deleted. */
export function forgetSomeSteps(tx: Tx, userId: number, max: number): number {
  return store.deleteSomeSteps(tx, userId, max);
}
