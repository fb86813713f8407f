// What is stored for one user besides messages and files: all of it goes when the person is erased. A table with IDs of users that is
// neither here nor among those that stay fails test/operations/erasing.test.ts.

import { forgetSomeProofs } from "@/foundation/address-proofs/actions.ts";
import { forgetSomeMemberships } from "@/foundation/groups/actions.ts";
import { forgetSomeLogins } from "@/foundation/mail/actions.ts";
import { forgetSomeTwoStep } from "@/foundation/two-step/actions.ts";
import { forgetSomeActivity } from "@/foundation/user-activity/actions.ts";
import { forgetSomeSettings } from "@/foundation/user-settings/actions.ts";
import type { Tx } from "@/kernel/core/context.ts";
import { forgetSomeWords } from "@/messaging/alert-words/actions.ts";
import { forgetSomeMuteSpans } from "@/messaging/mute-spans/actions.ts";
import { forgetSomeFlags, forgetSomeMarks, forgetSomeSpans } from "@/messaging/receipts/actions-marks.ts";
import { forgetSomeIdentities } from "@/outside/single-sign-on/actions.ts";
import { forgetSomeDrafts } from "@/personal/drafts/actions.ts";
import { forgetSomeViews } from "@/personal/navigation-views/actions.ts";
import { forgetSomeSteps } from "@/personal/onboarding/actions.ts";
import { forgetSomePresence } from "@/personal/presence/actions.ts";
import { forgetSomeReminders } from "@/personal/reminders/actions.ts";
import { forgetSomeSnippets } from "@/personal/saved-snippets/actions.ts";
import { forgetSomeScheduledMessages } from "@/personal/scheduled-messages/actions.ts";
import { forgetSomeSubscriptions } from "@/places/subscriptions/actions.ts";
import { forgetSomePolicies } from "@/places/user-topics/actions.ts";

type ForgetSome = (tx: Tx, userId: number, max: number) => number;

/** In the order in which they go. */
export const belongings: readonly ForgetSome[] = [
  forgetSomeDrafts,
  forgetSomeScheduledMessages,
  forgetSomeReminders,
  forgetSomeSnippets,
  forgetSomeViews,
  forgetSomeSteps,
  forgetSomePresence,
  forgetSomeWords,
  forgetSomePolicies,
  forgetSomeTwoStep,
  forgetSomeProofs,
  forgetSomeActivity,
  forgetSomeSettings,
  forgetSomeIdentities,
  forgetSomeSubscriptions,
  forgetSomeMemberships,
  forgetSomeLogins,
  forgetSomeMuteSpans,
  forgetSomeMarks,
  forgetSomeSpans,
  forgetSomeFlags,
];
