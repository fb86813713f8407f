// Changes of people, bots, groups, invitations and profile fields.
import { z } from "zod";
import * as users from "@/foundation/accounts/actions.ts";
import * as core from "@/foundation/groups/actions.ts";
import { groupDescription, groupId, groupName, userGroup } from "@/foundation/groups/schema.ts";
import * as keys from "@/foundation/keys/actions.ts";
import { grantUpdateParams, role } from "@/foundation/permissions/schema.ts";
import * as fields from "@/foundation/profile-fields/actions.ts";
import { fieldIds, fieldTraits, fieldType } from "@/foundation/profile-fields/schema.ts";
import * as recovery from "@/foundation/recovery/actions.ts";
import * as sessions from "@/foundation/sessions/actions.ts";
import * as twoStep from "@/foundation/two-step/actions.ts";
import { emailAddress, fullName, password, user, userId } from "@/foundation/users/schema.ts";
import * as bots from "@/outside/bots/actions.ts";
import { bot, botType, payloadUrl, shortName } from "@/outside/bots/schema.ts";
import * as invitations from "@/outside/invitations/actions.ts";
import * as addresses from "@/outside/invitations/actions-addresses.ts";
import { addressList, channelIds, inviteId, terms } from "@/outside/invitations/schema.ts";
import { change } from "../change.ts";

const withKey = z.object({ user, api_key: z.string() });

export const createUser = change(
  users.createUser,
  z.strictObject({
    email: emailAddress,
    full_name: fullName,
    role: role.optional(),
    password: password.optional(),
  }),
  withKey,
);
export const updateUser = change(
  users.updateUser,
  z.strictObject({
    user_id: userId,
    full_name: fullName.optional(),
    role: role.optional(),
    new_email: emailAddress.optional(),
  }),
);
export const setPassword = change(users.setPassword, z.strictObject({ user_id: userId, password }));
export const deactivateUser = change(users.deactivateUser, userId);
export const reactivateUser = change(users.reactivateUser, userId);
export const rotateKey = change(users.rotateKey, userId, withKey);
export const makeResetLink = change(
  recovery.makeResetLink,
  userId,
  z.object({ path: z.string(), expires_at: z.int() }),
);
export const resetTwoStep = change(twoStep.resetTwoStep, userId);
export const endKeysFor = change(
  keys.endKeysFor,
  z.strictObject({ user_id: userId, id: z.int().optional() }),
  z.int(),
);
export const endSessionsFor = change(
  sessions.endSessionsFor,
  z.strictObject({ user_id: userId, id: z.int().optional() }),
  z.int(),
);

export const createBot = change(
  bots.createBot,
  z.strictObject({
    full_name: fullName,
    short_name: shortName,
    bot_type: botType.optional(),
    owner_id: userId.optional(),
    payload_url: payloadUrl.optional(),
  }),
  withKey,
);
export const updateBot = change(
  bots.updateBot,
  z.strictObject({ bot_id: userId, full_name: fullName.optional(), bot_owner_id: userId.optional() }),
  bot,
);

const people = z.array(userId);

export const createGroup = change(
  core.createGroup,
  z.strictObject({ name: groupName, description: groupDescription, members: people }),
  userGroup,
);
export const updateGroup = change(
  core.updateGroup,
  z.strictObject({
    group_id: groupId,
    name: groupName.optional(),
    description: groupDescription.optional(),
    deactivated: z.boolean().optional(),
    ...grantUpdateParams("group"),
  }),
);
export const deactivateGroup = change(core.deactivateGroup, groupId);
export const updateMembers = change(
  core.updateMembers,
  z.strictObject({ group_id: groupId, add: people.optional(), delete: people.optional() }),
);

const invitationTerms = z.strictObject({ ...terms, stream_ids: channelIds });

export const createLink = change(invitations.createLink, invitationTerms, z.string());
export const inviteAddresses = change(
  addresses.inviteAddresses,
  invitationTerms.extend({ invitee_emails: addressList, notify_referrer_on_join: z.boolean() }),
);
export const revoke = change(
  invitations.revoke,
  z.strictObject({ kind: z.enum(["link", "address"]), id: inviteId }),
);
export const resend = change(invitations.resend, inviteId);

export const createField = change(
  fields.createField,
  z.strictObject({ field_type: fieldType, ...fieldTraits }),
  z.int(),
);
export const updateField = change(fields.updateField, z.strictObject({ id: z.int(), ...fieldTraits }));
export const deleteField = change(fields.deleteField, z.int());
export const reorderFields = change(fields.reorderFields, fieldIds.readonly());
