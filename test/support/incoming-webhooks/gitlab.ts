// One post of each kind in GitLab's documentation, with the fields that it documents.
import type { Fixture } from "./fixture.ts";

const web = "https://gitlab.example/acme/engine";
const user = { id: 1, name: "Ada Lovelace", username: "ada" };
const project = { id: 7, name: "engine", web_url: web, path_with_namespace: "acme/engine" };
const commits = [
  {
    id: "aaaaaaaaaaaaaaaa",
    message: "Fix the pump\n\nAt last.",
    title: "Fix the pump",
    url: `${web}/-/commit/aaaa`,
    author: { name: "Ada", email: "ada@example.com" },
  },
];
const before = "1111111111111111111111111111111111111111";
const after = "2222222222222222222222222222222222222222";
const issue = { id: 30, iid: 3, title: "Pump leaks", url: `${web}/-/issues/3`, description: "It drips." };
const request = {
  id: 40,
  iid: 12,
  title: "Fix the pump",
  url: `${web}/-/merge_requests/12`,
  source_branch: "fix",
  target_branch: "main",
  description: "Closes #3",
  draft: false,
};
const group = {
  group_name: "Acme",
  group_path: "acme",
  group_id: 9,
  user_name: "Bob",
  user_username: "bob",
  group_access: "Developer",
};

const posts: Record<string, Record<string, unknown>> = {
  push: {
    object_kind: "push",
    before,
    after,
    ref: "refs/heads/main",
    user_name: "Ada Lovelace",
    total_commits_count: 3,
    commits,
  },
  tag_push: {
    object_kind: "tag_push",
    before: "0".repeat(40),
    after,
    ref: "refs/tags/v1.0",
    user_name: "Ada Lovelace",
    total_commits_count: 0,
    commits: [],
  },
  "issue opened": { object_kind: "issue", user, object_attributes: { ...issue, action: "open" } },
  "issue closed": {
    object_kind: "issue",
    user,
    object_attributes: { ...issue, action: "close", confidential: true },
  },
  "work item": {
    object_kind: "work_item",
    user,
    object_attributes: { ...issue, action: "open", type: "Task" },
  },
  "comment on an issue": {
    object_kind: "note",
    user,
    issue,
    object_attributes: {
      noteable_type: "Issue",
      note: "Same here.",
      url: `${web}/-/issues/3#note_1`,
      action: "create",
    },
  },
  "comment on a merge request": {
    object_kind: "note",
    user,
    merge_request: request,
    object_attributes: {
      noteable_type: "MergeRequest",
      note: "Nice.",
      url: `${web}/-/merge_requests/12#note_1`,
    },
  },
  "comment on a commit": {
    object_kind: "note",
    user,
    commit: { id: "aaaaaaaaaaaaaaaa", url: `${web}/-/commit/aaaa` },
    object_attributes: { noteable_type: "Commit", note: "Why?", url: `${web}/-/commit/aaaa#note_1` },
  },
  "comment on a snippet": {
    object_kind: "note",
    user,
    snippet: { id: 5, title: "Seal", url: `${web}/-/snippets/5` },
    object_attributes: { noteable_type: "Snippet", note: "Good.", url: `${web}/-/snippets/5#note_1` },
  },
  "merge request opened": {
    object_kind: "merge_request",
    user,
    object_attributes: { ...request, action: "open" },
  },
  "merge request approved": {
    object_kind: "merge_request",
    user,
    object_attributes: { ...request, action: "approved" },
  },
  "merge request pushed to": {
    object_kind: "merge_request",
    user,
    object_attributes: { ...request, action: "update", oldrev: before },
  },
  "merge request merged": {
    object_kind: "merge_request",
    user,
    object_attributes: { ...request, action: "merge" },
  },
  "wiki page": {
    object_kind: "wiki_page",
    user,
    object_attributes: { title: "Home", url: `${web}/-/wikis/home`, action: "create" },
  },
  "pipeline failed": {
    object_kind: "pipeline",
    user,
    object_attributes: {
      id: 31,
      ref: "main",
      status: "failed",
      duration: 63,
      url: `${web}/-/pipelines/31`,
      tag: false,
    },
    builds: [
      { id: 380, stage: "test", name: "unit", status: "failed" },
      { id: 381, stage: "test", name: "lint", status: "success" },
    ],
  },
  "pipeline succeeded": {
    object_kind: "pipeline",
    user,
    object_attributes: {
      id: 32,
      ref: "main",
      status: "success",
      duration: 130,
      url: `${web}/-/pipelines/32`,
    },
    builds: [],
  },
  job: {
    object_kind: "build",
    ref: "main",
    build_id: 380,
    build_name: "unit",
    build_stage: "test",
    build_status: "failed",
    project_name: "engine",
    repository: { homepage: web },
  },
  deployment: {
    object_kind: "deployment",
    status: "success",
    environment: "production",
    deployable_url: `${web}/-/jobs/1`,
    user,
  },
  member: { event_name: "user_add_to_group", ...group },
  "member changed": { event_name: "user_update_for_group", ...group },
  "member left": { event_name: "user_remove_from_group", ...group },
  "member asks": { event_name: "user_access_request_to_group", ...group },
  "member refused": { event_name: "user_access_request_denied_for_group", ...group },
  subgroup: { event_name: "subgroup_create", name: "Pumps", group_id: 10 },
  "project of a group": { event_name: "project_create", name: "Seals", project_id: 10 },
  "feature flag": {
    object_kind: "feature_flag",
    user,
    object_attributes: { id: 6, name: "new-pump", active: true },
  },
  release: {
    object_kind: "release",
    action: "create",
    name: "1.0",
    tag: "v1.0",
    url: `${web}/-/releases/v1.0`,
    description: "Pumps.",
  },
  milestone: { object_kind: "milestone", action: "close", object_attributes: { title: "1.0" } },
  emoji: {
    object_kind: "emoji",
    event_type: "award",
    user,
    object_attributes: { name: "thumbsup", awarded_on_url: issue.url },
    issue,
  },
  "access token": {
    object_kind: "access_token",
    object_attributes: { name: "ci", expires_at: "2027-01-26" },
  },
  vulnerability: {
    object_kind: "vulnerability",
    object_attributes: {
      title: "Overflow",
      url: `${web}/-/security/1`,
      severity: "high",
      state: "confirmed",
    },
  },
};

export const gitlab: Fixture[] = Object.entries(posts).map(([what, fields]) => ({
  sender: "gitlab",
  what,
  headers: { "x-gitlab-event": "Hook" },
  payload: { ...(what === "member" || "event_name" in fields ? {} : { project }), ...fields },
}));
