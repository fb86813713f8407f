import { withdrawQuoting } from "@/foundation/mail/actions.ts";
import { mailHooks } from "@/foundation/mail/hooks.ts";
import { settingsHooks } from "@/foundation/user-settings/hooks.ts";
import { userHooks } from "@/foundation/users/hooks.ts";
import type { Ctx } from "@/kernel/core/context.ts";
import { actingAs } from "@/kernel/core/operation.ts";
import { domain } from "@/kernel/http/domain.ts";
import { oneAtATime } from "@/kernel/store/per-app.ts";
import { messageHooks } from "@/messaging/messages/hooks.ts";
import { channelsWithMails } from "@/places/subscriptions/access.ts";
import { changeSubscriptions } from "@/places/subscriptions/actions.ts";
import { dropBatch, putOffBatch } from "./actions.ts";
import { followMessages } from "./following.ts";
import { mailMissed, mayBeMailed } from "./mailing.ts";
import { missed } from "./schema.ts";
import { nextDue } from "./store.ts";

export default domain({
  name: "missed-messages",
  about: "mails to people who are away about what they have not read",
  hooks: [
    messageHooks.removed.register(withdrawQuoting),
    mailHooks.mayBeMailed.register(mayBeMailed),
    settingsHooks.changed.register(putOffBatch),
    userHooks.deactivated.register(dropBatch),
    mailHooks.unsubscribed.register((tx, { userId, kind }) => {
      if (kind !== "messages") return;
      const person = actingAs(tx, { kind: "user", id: userId, client: "Internal" });
      const property = "email_notifications";
      const changes = channelsWithMails(tx, userId).map((stream_id) => ({
        stream_id,
        property,
        value: false,
      }));
      changeSubscriptions.in(person, changes);
    }),
  ],
  jobs: [
    {
      name: "missed-messages",
      everySeconds: missed.everySeconds,
      run: oneAtATime(async (ctx: Ctx): Promise<void> => {
        await followMessages(ctx);
        await mailMissed(ctx);
      }),
      nextDue,
    },
  ],
});
