// Changes of people, bots, groups, invitations and profile fields.
import { z } from "zod";
import * as users from "@/foundation/accounts/actions.ts";
import { newPassword, newPerson, personPatch } from "@/foundation/accounts/schema.ts";
import * as core from "@/foundation/groups/actions.ts";
import { groupId, groupMoves, groupPatch, newGroup, userGroup } from "@/foundation/groups/schema.ts";
import * as keys from "@/foundation/keys/actions.ts";
import { keyEnding } from "@/foundation/keys/schema.ts";
import * as fields from "@/foundation/profile-fields/actions.ts";
import { fieldIds, fieldPatch, newProfileField } from "@/foundation/profile-fields/schema.ts";
import * as recovery from "@/foundation/recovery/actions.ts";
import * as sessions from "@/foundation/sessions/actions.ts";
import { sessionEnding } from "@/foundation/sessions/schema.ts";
import * as twoStep from "@/foundation/two-step/actions.ts";
import { user, userId } from "@/foundation/users/schema.ts";
import * as erasing from "@/operations/erasing/actions.ts";
import { erasing as erasingInput } from "@/operations/erasing/schema.ts";
import * as bots from "@/outside/bots/actions.ts";
import { bot, botPatch, newBot } from "@/outside/bots/schema.ts";
import * as invitations from "@/outside/invitations/actions.ts";
import * as addresses from "@/outside/invitations/actions-addresses.ts";
import { addressTerms, inviteId, linkTerms, revocation } from "@/outside/invitations/schema.ts";
import { change, changeHere } from "../change.ts";

const withKey = z.object({ user, api_key: z.string() });

export const createUser = change(users.createUser, newPerson, withKey);
export const updateUser = change(users.updateUser, personPatch);
export const setPassword = changeHere(users.setPassword, newPassword, user);
export const deactivateUser = change(users.deactivateUser, userId);
export const reactivateUser = change(users.reactivateUser, userId);
export const rotateKey = changeHere(users.rotateKey, userId, withKey);
export const makeResetLink = changeHere(
  recovery.makeResetLink,
  userId,
  z.object({ path: z.string(), expires_at: z.int() }),
);
export const resetTwoStep = change(twoStep.resetTwoStep, userId);
export const endKeysFor = change(keys.endKeysFor, keyEnding, z.int());
export const endSessionsFor = change(sessions.endSessionsFor, sessionEnding, z.int());

const completed = z.object({ complete: z.boolean() });
export const eraseUser = change(erasing.eraseUser, erasingInput, completed);
export const deleteMessagesOf = change(erasing.deleteMessagesOf, userId, completed);

export const createBot = change(bots.createBot, newBot, withKey);
export const updateBot = change(bots.updateBot, botPatch, bot);

export const createGroup = change(core.createGroup, newGroup, userGroup);
export const updateGroup = change(core.updateGroup, groupPatch);
export const deactivateGroup = change(core.deactivateGroup, groupId);
export const updateMembers = change(core.updateMembers, groupMoves);

export const createLink = change(invitations.createLink, linkTerms, z.string());
export const inviteAddresses = change(addresses.inviteAddresses, addressTerms);
export const revoke = change(invitations.revoke, revocation);
export const resend = change(invitations.resend, inviteId);

export const createField = change(fields.createField, newProfileField, z.int());
export const updateField = change(fields.updateField, fieldPatch);
export const deleteField = change(fields.deleteField, z.int());
export const reorderFields = change(fields.reorderFields, fieldIds.readonly());
