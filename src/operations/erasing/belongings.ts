// What is stored for one user besides messages and files: all of it goes when the person is erased. A table with IDs of users that is
// neither here nor among those that stay fails test/operations/erasing.test.ts.

import { proofsOf } from "@/foundation/address-proofs/actions.ts";
import { membershipsOf } from "@/foundation/groups/actions.ts";
import { loginsOf } from "@/foundation/mail/actions.ts";
import { twoStepOf } from "@/foundation/two-step/actions.ts";
import { activityOf } from "@/foundation/user-activity/actions.ts";
import { settingsOfUser } from "@/foundation/user-settings/actions.ts";
import type { OwnedRows } from "@/kernel/store/owned-rows.ts";
import { wordsOf } from "@/messaging/alert-words/actions.ts";
import { muteSpansOf } from "@/messaging/mute-spans/actions.ts";
import { flagRowsOf, marksOf, spansOf } from "@/messaging/receipts/actions-marks.ts";
import { identitiesOf } from "@/outside/single-sign-on/actions.ts";
import { draftsOf } from "@/personal/drafts/actions.ts";
import { viewsOf } from "@/personal/navigation-views/actions.ts";
import { stepsOf } from "@/personal/onboarding/actions.ts";
import { presenceRowsOf } from "@/personal/presence/actions.ts";
import { remindersOf } from "@/personal/reminders/actions.ts";
import { snippetsOf } from "@/personal/saved-snippets/actions.ts";
import { scheduledOf } from "@/personal/scheduled-messages/actions.ts";
import { subscriptionRowsOf } from "@/places/subscriptions/actions.ts";
import { policiesOf } from "@/places/user-topics/actions.ts";
import type { BelongingName } from "./schema.ts";

/** In the order in which they go; those with a name are counted before. */
export const belongings: readonly { name?: BelongingName; rows: OwnedRows }[] = [
  { name: "drafts", rows: draftsOf },
  { name: "scheduled_messages", rows: scheduledOf },
  { name: "reminders", rows: remindersOf },
  { name: "saved_snippets", rows: snippetsOf },
  { name: "groups", rows: membershipsOf },
  { name: "subscriptions", rows: subscriptionRowsOf },
  { rows: settingsOfUser },
  { rows: twoStepOf },
  { rows: identitiesOf },
  { rows: proofsOf },
  { rows: loginsOf },
  { rows: presenceRowsOf },
  { rows: activityOf },
  { rows: wordsOf },
  { rows: policiesOf },
  { rows: viewsOf },
  { rows: stepsOf },
  { rows: muteSpansOf },
  { rows: spansOf },
  { rows: marksOf },
  { rows: flagRowsOf },
];
