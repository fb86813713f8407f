// The actions whose file does not show what they leave in the audit log: the event, where another file records it, or why they
// leave none, which is for what is the actor's own. One that calls `recordAudit`, or a function of its file that does, is not here.

interface Unrecorded {
  why: string;
}

const because = (why: string): Unrecorded => ({ why });

const signing = because("people sign in, or prove who they are: their own act");
const own = because("the actor's own things");
const part = because("a part of another action, which records it");
const system = because("the server's own upkeep");
const sent = because("sends earlier what is sent anyway");
const joins = because("takes part in what others began, as everybody may");
const node = because("concerns a node and nothing of people; the log of the server has it");
const copies = because(
  "a copy by the operator's schedule, which concerns nobody's things; who ran the command from elsewhere is noted",
);
const certificate = because("the server's own certificate, which concerns nobody's things; its log has it");
const trial = because("for servers to try things out on");
const first = because("the first entry of an organization is its owner's account");

/** By the path of the file below `src`, and the name. */
export const acts: Readonly<Record<string, Readonly<Record<string, string | Unrecorded>>>> = {
  "foundation/accounts/actions-many.ts": {
    createUsers: "user_created",
  },
  "foundation/accounts/actions.ts": {
    createUser: "user_created",
    changeRole: "user_role_changed",
    deactivateUser: "user_deactivated",
    deactivateSelf: own,
    reactivateUser: "user_reactivated",
    rotateKey: "user_key_replaced",
    setPassword: "user_password_set",
    updateUser: "user_renamed",
    updateUserByEmail: "user_renamed",
    endLoginKey: own,
    deactivateAndMail: "user_deactivated",
  },
  "foundation/address-changes/actions.ts": {
    lookUpChange: signing,
    followChange: signing,
    cancelChange: own,
  },
  "foundation/address-proofs/actions.ts": {
    setAddressProved: "user_address_proved",
  },
  "foundation/avatars/actions.ts": {
    setAvatar: "user_avatar_changed",
    deleteAvatar: "user_avatar_changed",
  },
  "foundation/keys/actions.ts": {
    endKeysFor: "user_keys_ended",
  },
  "foundation/login/actions.ts": {
    fetchApiKey: signing,
    logInByKey: signing,
    checkLogin: signing,
    borrowKey: own,
    giveKeyBack: own,
    signIn: signing,
  },
  "foundation/first-visit/actions.ts": {
    isFirstVisit: signing,
    completeFirstVisit: signing,
  },
  "foundation/mail/actions.ts": {
    testMail: own,
    unsubscribe: own,
    tryMailNow: sent,
  },
  "foundation/own-account/actions.ts": {
    updateOwnSettings: own,
  },
  "foundation/profile-fields/actions-values.ts": {
    updateOwnProfile: own,
    clearOwnProfile: own,
  },
  "foundation/proofs/actions.ts": {
    giveProof: signing,
    mailProof: signing,
  },
  "foundation/realm-administration/actions.ts": {
    createRealm: first,
    continueRealm: first,
    setSite: system,
    setServerOptions: system,
  },
  "foundation/recovery/actions.ts": {
    requestReset: signing,
    makeResetLink: "user_reset_link_made",
    lookUpReset: signing,
    resetPassword: signing,
  },
  "foundation/sessions/actions-handovers.ts": {
    makeHandover: own,
    tradeSecret: signing,
    arrive: signing,
  },
  "foundation/sessions/actions-links.ts": {
    makeLoginLink: "user_login_link_made",
    tryLink: signing,
    followLink: signing,
  },
  "foundation/sessions/actions.ts": {
    enterAs: signing,
    rememberBrowser: own,
    signOut: own,
    endSession: own,
    endOtherSessions: own,
    endSessionsFor: "user_sessions_ended",
    stayingSignedIn: part,
    deleteEnded: system,
  },
  "foundation/two-step/actions.ts": {
    tryStep: signing,
    refuseFirstStep: signing,
    beginTwoStep: own,
    confirmTwoStep: own,
    endTwoStep: own,
    renewRecoveryCodes: own,
    resetTwoStep: "user_two_step_reset",
  },
  "foundation/user-activity/actions.ts": {
    countWeek: system,
  },
  "messaging/alert-words/actions.ts": {
    addAlertWords: own,
    removeAlertWords: own,
  },
  "messaging/channel-activity/actions.ts": {
    measureChannels: system,
  },
  "messaging/flags/actions.ts": {
    updateFlags: own,
    updateFlagsInNarrow: own,
    markAllAsRead: own,
    markChannelAsRead: own,
    markTopicAsRead: own,
  },
  "messaging/message-edits/actions.ts": {
    updateMessage: "messages_moved",
  },
  "messaging/message-index/actions.ts": {
    indexAll: system,
  },
  "messaging/muted-users/actions.ts": {
    muteUser: own,
    unmuteUser: own,
    markMutedRead: system,
  },
  "messaging/reactions/actions.ts": {
    addReaction: joins,
    removeReaction: own,
  },
  "messaging/reports/actions.ts": {
    reportMessage: own,
  },
  "messaging/sending/actions.ts": {
    deleteExpiredKeys: system,
    sendMessage: own,
  },
  "messaging/submessages/actions.ts": {
    addSubmessage: joins,
  },
  "messaging/uploads/actions.ts": {
    uploadFile: own,
    removeAttachment: own,
  },
  "operations/dev/actions.ts": {
    fetchKeyWithoutPassword: trial,
    signInWithoutPassword: trial,
    createSample: trial,
  },
  "operations/erasing/actions.ts": {
    deleteMessagesOf: "messages_of_user_deleted",
  },
  "operations/backup/actions-state.ts": {
    recordFailedBackup: system,
    recordStoredBackup: system,
  },
  "operations/backup/actions.ts": {
    backUpNow: copies,
  },
  "operations/certificates/actions.ts": {
    forgetCertificate: certificate,
    keepAccount: certificate,
    recordFailedTry: certificate,
    recordObtained: certificate,
    setChallenge: certificate,
  },
  "operations/export/actions.ts": {
    beginPersonExport: "export_written",
  },
  "operations/file-moves/actions.ts": {
    noteServerS3: system,
  },
  "operations/metrics/actions.ts": {
    tryWriting: system,
  },
  "operations/nodes/actions.ts": {
    drainNode: node,
    makeSnapshot: node,
    undrainNode: node,
  },
  "operations/statistics/actions.ts": {
    countDays: system,
  },
  "outside/bot-calls/actions.ts": {
    noteCallToSelf: own,
    sweepCalls: system,
  },
  "outside/bots/actions-storage.ts": {
    setStorage: own,
    deleteStorage: own,
  },
  "outside/bots/actions.ts": {
    createBot: "bot_created",
    updateBot: "bot_defaults_changed",
    deactivateBot: "bot_deactivated",
    regenerateBotKey: "bot_key_replaced",
  },
  "outside/events/actions.ts": {
    register: own,
    closeQueue: own,
  },
  "outside/incoming-webhooks/actions.ts": {
    postAsBot: own,
    sendTestEvent: "bot_test_event_sent",
    renewSecret: "bot_webhook_secret_set",
    removeSecret: "bot_webhook_secret_removed",
    setTemplate: "bot_webhook_template_set",
    removeTemplate: "bot_webhook_template_removed",
    keepPayload: own,
    sweepPayloads: system,
  },
  "outside/invitations/actions-addresses.ts": {
    inviteAddresses: "invitation_created",
  },
  "outside/invitations/actions.ts": {
    createLink: "invitation_created",
    revoke: "invitation_revoked",
    resend: "invitation_resent",
    tryWelcome: own,
  },
  "outside/single-sign-on/actions.ts": {
    startSignOn: signing,
    completeSignOn: signing,
    proveAndJoin: signing,
    learnIssuers: system,
  },
  "outside/web-push/actions.ts": {
    subscribeBrowser: own,
    unsubscribeBrowser: own,
    ensureKeys: system,
  },
  "outside/link-previews/actions.ts": {
    keepFound: system,
    endLook: system,
    dropLook: system,
    dropLooksAt: system,
    forgetSurplus: system,
  },
  "outside/webhooks/actions-testing.ts": {
    testWebhook: "bot_test_call_made",
  },
  "outside/webhooks/actions.ts": {
    tryCallNow: sent,
  },
  "personal/client-devices/actions.ts": {
    registerDevice: own,
    removeDevice: own,
  },
  "personal/drafts/actions.ts": {
    createDrafts: own,
    editDraft: own,
    deleteDraft: own,
  },
  "personal/navigation-views/actions.ts": {
    addView: own,
    editView: own,
    removeView: own,
  },
  "personal/onboarding/actions.ts": {
    markStepSeen: own,
    openOrganization: system,
  },
  "personal/presence/actions.ts": {
    reportPresence: own,
    savePresences: system,
  },
  "personal/reminders/actions.ts": {
    createReminder: own,
    deleteReminder: own,
    deliverReminders: system,
    renewReminders: system,
  },
  "personal/saved-snippets/actions.ts": {
    createSnippet: own,
    editSnippet: own,
    deleteSnippet: own,
  },
  "personal/scheduled-messages/actions.ts": {
    scheduleMessage: own,
    editScheduledMessage: own,
    deleteScheduledMessage: own,
  },
  "personal/typing/actions.ts": {
    typeToPeople: own,
    typeInChannel: own,
    typeEdit: own,
  },
  "personal/user-status/actions.ts": {
    updateOwnStatus: own,
  },
  "places/channel-administration/actions-changes.ts": {
    updateChannel: "channel_renamed",
  },
  "places/channel-administration/actions.ts": {
    createChannelAtOnce: "channel_created",
    createChannel: "channel_created",
    archiveChannel: "channel_archived",
  },
  "places/default-channels/actions.ts": {
    setDefaultChannel: "channel_made_default",
  },
  "places/subscriptions/actions-at-once.ts": {
    subscribeAtOnce: "channel_subscribers_added",
    joinChecked: "channel_subscribers_added",
    subscribeByNameAtOnce: "channel_subscribers_added",
    openBlock: "channel_subscribers_added",
    unsubscribeAtOnce: "channel_subscribers_removed",
    leaveChecked: "channel_subscribers_removed",
    patchAtOnce: own,
    announceNamed: part,
  },
  "places/subscriptions/actions-notices.ts": {
    sendSubscribedNoticesInSteps: part,
  },
  "places/subscriptions/actions.ts": {
    subscribe: "channel_subscribers_added",
    subscribeByName: "channel_subscribers_added",
    unsubscribe: "channel_subscribers_removed",
    patchSubscriptions: own,
    changeSubscriptions: own,
  },
  "places/user-topics/actions.ts": {
    setTopicPolicy: own,
    muteTopic: own,
  },
};
