// One post of each event in GitHub's documentation, with the fields that it documents.
import type { Fixture } from "./fixture.ts";

const web = "https://github.com/acme/engine";
const ada = { login: "ada", id: 1, html_url: "https://github.com/ada" };
const bob = { login: "bob", id: 2, html_url: "https://github.com/bob" };
const repository = {
  id: 7,
  name: "engine",
  full_name: "acme/engine",
  html_url: web,
  owner: { login: "acme" },
};
const organization = { login: "acme", id: 9 };
const issue = {
  number: 3,
  title: "Pump leaks *badly* [sic]",
  html_url: `${web}/issues/3`,
  body: "It drips.\r\n\r\n<!-- template -->\n```\nlog\n```\n@**all** look",
  state_reason: null,
  milestone: { title: "1.0" },
};
const pull = {
  number: 12,
  title: "Fix the pump",
  html_url: `${web}/pull/12`,
  body: "Closes #3.",
  draft: false,
  merged: false,
  head: { ref: "fix-pump" },
  base: { ref: "main" },
};
const team = { name: "Engineers", html_url: "https://github.com/orgs/acme/teams/engineers" };
const comment = {
  html_url: `${web}/issues/3#issuecomment-1`,
  body: "Same here.",
  commit_id: "0123456789abcdef",
};
const alert = {
  number: 4,
  html_url: `${web}/security/4`,
  security_advisory: { summary: "Prototype pollution", severity: "high" },
};

const events: Record<string, Record<string, unknown>> = {
  "branch_protection_configuration.disabled": {},
  "branch_protection_rule.created": { rule: { name: "main" } },
  "check_run.completed": {
    check_run: {
      name: "lint",
      conclusion: "failure",
      status: "completed",
      html_url: `${web}/runs/1`,
      check_suite: { head_branch: "main" },
    },
  },
  "check_suite.completed": {
    check_suite: {
      conclusion: "success",
      status: "completed",
      head_branch: "main",
      app: { name: "Builder" },
      url: `${web}/suites/1`,
    },
  },
  "code_scanning_alert.created": {
    alert: {
      number: 8,
      html_url: `${web}/security/8`,
      rule: { description: "SQL injection", security_severity_level: "critical" },
    },
  },
  "commit_comment.created": { comment },
  create: { ref: "fix-pump", ref_type: "branch" },
  "custom_property.created": { definition: { property_name: "stage" } },
  "custom_property_values.updated": {},
  delete: { ref: "v0.9", ref_type: "tag" },
  "dependabot_alert.created": { alert },
  "deploy_key.created": { key: { title: "ci" } },
  deployment: { deployment: { ref: "main", environment: "production" } },
  "deployment_protection_rule.requested": { environment: "production" },
  "deployment_review.approved": { workflow_job_run: { environment: "production" } },
  deployment_status: {
    deployment: { environment: "production" },
    deployment_status: { state: "success", target_url: "https://acme.example" },
  },
  "discussion.created": {
    discussion: { number: 20, title: "Which pump?", html_url: `${web}/discussions/20`, body: "Ideas?" },
  },
  "discussion.category_changed": {
    discussion: { number: 20, title: "Which pump?", html_url: `${web}/discussions/20` },
  },
  "discussion_comment.created": {
    discussion: { number: 20, title: "Which pump?", html_url: `${web}/discussions/20` },
    comment,
  },
  fork: { forkee: { full_name: "bob/engine", html_url: "https://github.com/bob/engine" } },
  "github_app_authorization.revoked": {},
  gollum: { pages: [{ action: "created", title: "Home", html_url: `${web}/wiki/Home` }] },
  "installation.created": { installation: { app_slug: "builder" } },
  "installation.new_permissions_accepted": { installation: { app_slug: "builder" } },
  "installation_repositories.added": { installation: { app_slug: "builder" } },
  "installation_target.renamed": { account: { login: "acme-2" } },
  "issue_comment.created": { issue, comment },
  "issue_comment.deleted": { issue: { ...issue, pull_request: {} }, comment },
  "issue_dependencies.blocked_by_added": { blocked_issue: { title: issue.title, html_url: issue.html_url } },
  "issues.opened": { issue },
  "issues.closed": { issue: { ...issue, state_reason: "not_planned" } },
  "issues.assigned": { issue, assignee: bob },
  "issues.unassigned": { issue, assignee: bob },
  "issues.labeled": { issue, label: { name: "bug" } },
  "issues.milestoned": { issue, milestone: { title: "1.0" } },
  "issues.demilestoned": { issue, milestone: { title: "1.0" } },
  "issues.edited": { issue, changes: { title: { from: "Pump" } } },
  "issues.transferred": { issue },
  "label.created": { label: { name: "bug" } },
  "marketplace_purchase.purchased": { marketplace_purchase: { plan: { name: "Pro" } } },
  "member.added": { member: bob },
  "membership.added": { member: bob, team, scope: "team" },
  "membership.removed": { member: bob, team, scope: "team" },
  "merge_group.checks_requested": { merge_group: { base_ref: "refs/heads/main" } },
  "meta.deleted": { hook: {} },
  "milestone.closed": { milestone: { title: "1.0", html_url: `${web}/milestone/1` } },
  "org_block.blocked": { blocked_user: bob },
  "organization.member_added": { membership: { user: bob } },
  "organization.member_invited": { invitation: { login: "cy" } },
  "organization.member_removed": { membership: { user: bob } },
  "organization.renamed": {},
  "package.published": { package: { name: "pump", html_url: `${web}/packages/1` } },
  page_build: { build: { status: "built" } },
  "personal_access_token_request.created": {},
  ping: { zen: "Keep it logically awesome.", hook: { events: ["push", "issues"] } },
  "project.created": { project: { name: "Roadmap", html_url: `${web}/projects/1` } },
  "project_card.moved": {},
  "project_column.created": { project_column: { name: "Done" } },
  "projects_v2.created": { projects_v2: { title: "Roadmap" } },
  "projects_v2_item.edited": {},
  "projects_v2_status_update.created": {},
  public: {},
  "pull_request.opened": { pull_request: pull },
  "pull_request.closed": { pull_request: { ...pull, merged: true } },
  "pull_request.closed unmerged": { pull_request: pull },
  "pull_request.review_requested": { pull_request: pull, requested_reviewer: bob },
  "pull_request.review_request_removed": { pull_request: pull, requested_team: team },
  "pull_request.ready_for_review": { pull_request: pull },
  "pull_request.converted_to_draft": { pull_request: pull },
  "pull_request.synchronize": { pull_request: pull },
  "pull_request.labeled": { pull_request: pull, label: { name: "bug" } },
  "pull_request.auto_merge_enabled": { pull_request: pull },
  "pull_request.edited": { pull_request: pull, changes: { title: { from: "Fix" } } },
  "pull_request.enqueued": { pull_request: pull },
  "pull_request_review.submitted": {
    pull_request: pull,
    review: { state: "changes_requested", body: "Use a seal.", html_url: `${web}/pull/12#r1` },
  },
  "pull_request_review.dismissed": {
    pull_request: pull,
    review: { state: "dismissed", body: "", html_url: `${web}/pull/12#r1` },
  },
  "pull_request_review_comment.created": { pull_request: pull, comment },
  "pull_request_review_thread.resolved": { pull_request: pull },
  push: {
    ref: "refs/heads/main",
    before: "1111111111111111111111111111111111111111",
    after: "2222222222222222222222222222222222222222",
    forced: false,
    compare: `${web}/compare/1111...2222`,
    pusher: { name: "ada" },
    commits: [
      {
        id: "aaaaaaaaaaaaaaaa",
        url: `${web}/commit/aaaa`,
        message: "Fix the pump\n\nAt last.",
        author: { name: "Ada" },
      },
      { id: "bbbbbbbbbbbbbbbb", url: `${web}/commit/bbbb`, message: "Test __it__", author: { name: "Bob" } },
    ],
  },
  "push of many": {
    ref: "refs/heads/main",
    before: "1111111111111111111111111111111111111111",
    after: "2222222222222222222222222222222222222222",
    forced: true,
    compare: `${web}/compare/1111...2222`,
    pusher: { name: "ada" },
    commits: Array.from({ length: 14 }, (_, n) => ({
      id: `c${n}aaaaaaaa`,
      url: `${web}/commit/${n}`,
      message: `Step ${n}`,
      author: { name: "Ada" },
    })),
  },
  "push of a tag": {
    ref: "refs/tags/v1.0",
    before: "0000000000000000000000000000000000000000",
    after: "2222222222222222222222222222222222222222",
    pusher: { name: "ada" },
    commits: [],
  },
  "push that deletes": {
    ref: "refs/heads/old",
    before: "1111111111111111111111111111111111111111",
    after: "0000000000000000000000000000000000000000",
    pusher: { name: "ada" },
    commits: [],
  },
  "registry_package.published": { registry_package: { name: "pump", html_url: `${web}/packages/1` } },
  "release.published": {
    release: {
      name: "1.0",
      tag_name: "v1.0",
      html_url: `${web}/releases/1`,
      body: "* Pumps",
      prerelease: false,
    },
  },
  "repository.archived": {},
  "repository_advisory.published": {
    repository_advisory: {
      summary: "Overflow",
      severity: "high",
      html_url: `${web}/security/advisories/1`,
      description: "Update.",
    },
  },
  "repository_dispatch.rebuild": {},
  repository_import: { status: "success" },
  "repository_ruleset.created": { repository_ruleset: { name: "protect" } },
  "repository_vulnerability_alert.create": { alert: { number: 5, affected_package_name: "left-pad" } },
  "secret_scanning_alert.created": {
    alert: { number: 6, secret_type_display_name: "Private key", html_url: `${web}/security/6` },
  },
  "secret_scanning_alert_location.created": { alert: { number: 6, html_url: `${web}/security/6` } },
  "secret_scanning_scan.completed": {},
  "security_advisory.published": {
    security_advisory: { summary: "Overflow", severity: "low", description: "Update." },
  },
  security_and_analysis: {},
  "sponsorship.created": { sponsorship: { sponsor: bob, tier: { name: "$5 a month" } } },
  "star.created": {},
  "star.deleted": {},
  status: {
    sha: "0123456789abcdef",
    state: "failure",
    context: "ci/build",
    description: "3 tests failed",
    target_url: "https://ci.example/1",
    commit: { html_url: `${web}/commit/0123` },
  },
  "sub_issues.sub_issue_added": {
    parent_issue: { title: "Engine", html_url: `${web}/issues/1` },
    sub_issue: issue,
  },
  "team.created": { team },
  "team.added_to_repository": { team },
  "team.removed_from_repository": { team },
  team_add: { team },
  "watch.started": {},
  workflow_dispatch: { workflow: ".github/workflows/ci.yml", ref: "refs/heads/main" },
  "workflow_job.completed": {
    workflow_job: {
      name: "build",
      workflow_name: "CI",
      conclusion: "success",
      head_branch: "main",
      html_url: `${web}/jobs/1`,
    },
  },
  "workflow_run.completed": {
    workflow_run: {
      name: "CI",
      conclusion: "failure",
      head_branch: "main",
      html_url: `${web}/actions/runs/1`,
    },
  },
};

export const github: Fixture[] = Object.entries(events).map(([what, fields]) => {
  const [event = ""] = what.split(" ");
  const [kind = "", action] = event.split(".");
  return {
    sender: "github",
    what,
    headers: { "x-github-event": kind },
    payload: { ...(action ? { action } : {}), repository, organization, sender: ada, ...fields },
  };
});
