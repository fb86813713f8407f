// Compares declared endpoints and events with the documented ones: nothing missing, extra or untested.
import { describe, expect, test } from "bun:test";
import { Glob } from "bun";
import { domains } from "@/domains.ts";
import { declaredEvents } from "@/kernel/events.ts";
import { endpointShapes, eventShapes } from "./support/shapes.ts";
import { world } from "./support/world.ts";

const endpoints = domains.flatMap((domain) => domain.endpoints ?? []);
const ids = endpoints.map(({ id }) => id).sort();
const documented = new Map(
  Object.entries(endpointShapes()).map(([key, shape]) => [shape.operationId, { key, ...shape }]),
);

/** Ours alone: files and pages whose addresses are only followed, the operator's endpoints, and older paths of others. */
const ours = [
  "get-avatar-picture",
  "get-emoji-data",
  "get-emoji-picture",
  "get-export-file",
  "get-extra-emoji-picture",
  "get-health",
  "get-identicon",
  "get-join-page",
  "get-medium-avatar",
  "get-metrics",
  "get-queues",
  "get-realm-picture",
  "get-temporary-file",
  "get-thumbnail",
  "get-uploaded-file",
  "join",
  "update-display-settings",
  "update-notification-settings",
];
const inCommon = endpoints.filter(({ id }) => !ours.includes(id));

/** The list of all endpoints, to notice if one disappears. */
const offered = [
  "add-alert-words",
  "add-code-playground",
  "add-default-stream",
  "add-linkifier",
  "add-navigation-view",
  "add-reaction",
  "archive-stream",
  "check-messages-match-narrow",
  "create-big-blue-button-video-call",
  "create-channel",
  "create-channel-folder",
  "create-drafts",
  "create-invite-link",
  "create-message-reminder",
  "create-saved-snippet",
  "create-scheduled-message",
  "create-user",
  "create-user-group",
  "deactivate-custom-emoji",
  "deactivate-user-group",
  "update-user",
  "update-user-by-email",
  "deactivate-own-user",
  "deactivate-user",
  "reactivate-user",
  "get-bots",
  "post-bots",
  "patch-bots-bot-id",
  "delete-bots-bot-id",
  "post-bots-bot-id-api-key-regenerate",
  "put-bot-storage",
  "get-bot-storage",
  "delete-bot-storage",
  "get-custom-profile-fields",
  "create-custom-profile-field",
  "reorder-custom-profile-fields",
  "patch-realm-profile-fields-field-id",
  "delete-realm-profile-fields-field-id",
  "patch-users-me-profile-data",
  "delete-users-me-profile-data",
  "delete-default-stream-groups-group-id",
  "delete-draft",
  "delete-export-realm-export-id",
  "delete-message",
  "delete-queue",
  "delete-realm-domains-domain",
  "delete-realm-icon",
  "delete-realm-logo",
  "delete-reminder",
  "delete-saved-snippet",
  "delete-scheduled-message",
  "delete-topic",
  "delete-users-me-avatar",
  "dev-fetch-api-key",
  "edit-draft",
  "edit-navigation-view",
  "edit-saved-snippet",
  "export-realm",
  "fetch-api-key",
  "get-alert-words",
  "get-attachments",
  "get-avatar",
  "get-avatar-picture",
  "get-channel-folders",
  "get-custom-emoji",
  "get-drafts",
  "get-emoji-data",
  "get-emoji-picture",
  "get-events",
  "get-export-file",
  "get-extra-emoji-picture",
  "get-file-temporary-url",
  "get-health",
  "get-identicon",
  "get-invites",
  "get-is-user-group-member",
  "get-join-page",
  "get-linkifiers",
  "get-medium-avatar",
  "get-message",
  "get-message-history",
  "get-messages",
  "get-metrics",
  "get-navigation-views",
  "get-own-user",
  "get-presence",
  "get-queues",
  "get-read-receipts",
  "get-realm-domains",
  "get-realm-export-consents",
  "get-realm-exports",
  "get-realm-icon",
  "get-realm-logo",
  "get-realm-picture",
  "get-reminders",
  "get-saved-snippets",
  "get-scheduled-messages",
  "get-server-settings",
  "get-stream-by-id",
  "get-stream-email-address",
  "get-stream-id",
  "get-stream-topics",
  "get-streams",
  "get-subscribers",
  "get-subscription-status",
  "get-subscriptions",
  "get-temporary-file",
  "get-thumbnail",
  "get-uploaded-file",
  "get-user",
  "get-user-by-email",
  "get-user-group-members",
  "get-user-group-subgroups",
  "get-user-groups",
  "get-user-presence",
  "get-user-status",
  "get-users",
  "join",
  "mark-all-as-read",
  "mark-stream-as-read",
  "mark-topic-as-read",
  "mute-topic",
  "mute-user",
  "patch-channel-folders",
  "patch-default-stream-groups-group-id",
  "patch-default-stream-groups-group-id-streams",
  "patch-realm-domains-domain",
  "patch-users-me-subscriptions-stream-id",
  "post-calls-zoom-create",
  "post-default-stream-groups-create",
  "post-realm-deactivate",
  "post-realm-domains",
  "post-realm-icon",
  "post-realm-logo",
  "post-submessage",
  "post-users-me-api-key-regenerate",
  "post-users-me-avatar",
  "post-users-me-onboarding-steps",
  "post-zcommand",
  "register-queue",
  "remove-alert-words",
  "remove-attachment",
  "remove-code-playground",
  "remove-default-stream",
  "remove-linkifier",
  "remove-navigation-view",
  "remove-reaction",
  "render-message",
  "reorder-linkifiers",
  "report-message",
  "resend-email-invite",
  "revoke-email-invite",
  "revoke-invite-link",
  "send-invites",
  "send-message",
  "set-typing-status",
  "set-typing-status-for-message-edit",
  "subscribe",
  "unmute-user",
  "test-welcome-bot-custom-message",
  "unsubscribe",
  "update-channel-folder",
  "update-display-settings",
  "update-linkifier",
  "update-message",
  "update-message-flags",
  "update-message-flags-for-narrow",
  "update-notification-settings",
  "update-presence",
  "update-realm",
  "update-realm-user-settings-defaults",
  "update-scheduled-message",
  "update-settings",
  "update-status",
  "update-status-for-user",
  "update-stream",
  "update-subscription-settings",
  "update-subscriptions",
  "update-user-group",
  "update-user-group-members",
  "update-user-group-subgroups",
  "update-user-topic",
  "upload-custom-emoji",
  "upload-file",
];

/** The operation IDs in the table of what src/README.md says is not offered. */
async function declined(): Promise<string[]> {
  const text = await Bun.file(new URL("../src/README.md", import.meta.url)).text();
  const section = text.split("\n## Not offered\n")[1]?.split("\n## ")[0] ?? "";
  const cells = section.split("\n").filter((line) => line.startsWith("| `"));
  return cells.flatMap((line) =>
    [...(line.split("|")[1] ?? "").matchAll(/`([^`]+)`/g)].map(([, id = ""]) => id),
  );
}

describe("endpoints", () => {
  test("are those listed here", () => {
    expect(ids).toEqual(offered.toSorted());
  });

  test("that are documented are offered, but for those that src/README.md declines with a reason", async () => {
    const no = await declined();
    expect(no.length).toBeGreaterThan(0);
    expect(no.filter((id) => ids.includes(id) || !documented.has(id))).toEqual([]);
    const known = new Set([...ids, ...no]);
    expect([...documented.keys()].filter((id) => !known.has(id))).toEqual([]);
  });

  test("stand at the documented method and path", () => {
    const skeleton = (path: string) => path.replaceAll(/\{\w+(:[^}]+)?\}/g, "{}");
    const declared = inCommon.map(({ id, method, path }) => [id, `${method} ${skeleton(path)}`]);
    const wanted = inCommon.map(({ id }) => [id, skeleton(documented.get(id)?.key ?? "not documented")]);
    expect(declared).toEqual(wanted);
  });

  test("take no parameter that is not documented", () => {
    const unknown = inCommon.flatMap(({ id, params }) => {
      const known = new Set(documented.get(id)?.params.map(({ name }) => name));
      const inPath = (name: string) =>
        endpoints.some((one) => one.id === id && one.path.includes(`{${name}`));
      return Object.keys(params).flatMap((name) =>
        known.has(name) || inPath(name) ? [] : [`${id}: ${name}`],
      );
    });
    expect(unknown).toEqual([]);
  });

  test("need no parameter that clients may leave out", () => {
    const needed = inCommon.flatMap(({ id, params }) => {
      const shapes = new Map(documented.get(id)?.params.map((shape) => [shape.name, shape]));
      return Object.entries(params).flatMap(([name, rule]) => {
        const mayBeAbsent = shapes.get(name)?.required === false;
        return mayBeAbsent && !rule.safeParse(undefined).success ? [`${id}: ${name}`] : [];
      });
    });
    expect(needed).toEqual([]);
  });

  test("that need a user answer 401 to nobody, whatever is asked", async () => {
    const { anonymous } = world();
    // Public ones depend on the organization's settings, which do not allow it here.
    const closed = endpoints.filter(({ auth }) => auth !== "none");
    const answers = closed.map(async ({ id, method, path, root }) => {
      const asked = path
        .replaceAll(/\{email(:[^}]+)?\}/g, "mel@example.com")
        .replaceAll(/\{\w+(:[^}]+)?\}/g, "1");
      const response = await anonymous.request((root ? "" : "/api/v1") + asked, { method });
      const { result, code } = (await response.json()) as { result: string; code: string };
      return [id, response.status, result, code, response.headers.has("www-authenticate")];
    });
    expect(await Promise.all(answers)).toEqual(
      closed.map(({ id }) => [id, 401, "error", "UNAUTHORIZED", true]),
    );
  });

  test("each have their tests, under their operation ID", async () => {
    const files = [...new Glob("**/*.test.ts").scanSync(import.meta.dir)];
    const texts = await Promise.all(files.map((file) => Bun.file(`${import.meta.dir}/${file}`).text()));
    const all = texts.join("\n");
    expect(ids.filter((id) => !all.includes(`describe("${id}"`))).toEqual([]);
  });
});

describe("events", () => {
  test("are documented ones, so that typed clients read them", () => {
    const known = new Set(eventShapes().map(({ type, op }) => (op === null ? type : `${type}/${op}`)));
    const declared = declaredEvents().map(({ key }) => key);
    expect(declared.filter((key) => !known.has(key) && !key.startsWith("test_"))).toEqual([]);
    expect(declared).toContain("realm_user/add");
  });
});
