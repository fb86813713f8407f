// https://docs.github.com/en/webhooks/webhook-events-and-payloads
import { branchOf, sentence } from "../forge.ts";
import { firstOf } from "../payload.ts";
import { sender } from "../sender.ts";
import { isHmac } from "../signing.ts";
import { bold, code, escapeText } from "../wording.ts";
import {
  commitComment,
  describeComments,
  discussion,
  issue,
  pullRequest,
  review,
  reviewThread,
} from "./github/conversations.ts";
import { did, toMessage, who } from "./github/parts.ts";
import {
  advisory,
  alert,
  at,
  deploymentStatus,
  describeCreation,
  describeDeletion,
  describeFork,
  describePublication,
  describeStar,
  pages,
  person,
  ping,
  plain,
  push,
  release,
  run,
  status,
} from "./github/verbs.ts";

export default sender({
  name: "github",
  title: "GitHub",
  setup: { where: "the repository or organization: Settings, Webhooks, Add webhook", field: "Payload URL" },
  deliveryOf: ({ header }) => header("x-github-delivery"),
  eventOf: ({ payload, header }) =>
    [header("x-github-event"), payload.at("action").text].filter(Boolean).join("."),
  isSigned: ({ body, header }, secret) =>
    isHmac(header("x-hub-signature-256"), { body, secret, prefix: "sha256=" }),
  events: {
    branch_protection_configuration: plain("the protection of branches"),
    branch_protection_rule: plain("the branch protection rule", at("rule", "name")),
    check_run: run("check_run", "Check"),
    check_suite: run("check_suite", "Checks"),
    code_scanning_alert: alert("code scanning alert"),
    commit_comment: commitComment,
    create: describeCreation,
    custom_property: plain("the custom property", at("definition", "property_name")),
    custom_property_values: plain("values of custom properties"),
    delete: describeDeletion,
    dependabot_alert: alert("Dependabot alert"),
    deploy_key: plain("the deploy key", at("key", "title")),
    deployment: (payload) =>
      toMessage(
        payload,
        sentence(
          who(payload),
          `started a deployment of ${code(payload.at("deployment", "ref").text)} to ${bold(payload.at("deployment", "environment").text)}`,
        ),
        `deployments to ${payload.at("deployment", "environment").text}`,
      ),
    deployment_protection_rule: plain("a deployment to", at("environment")),
    deployment_review: plain("a deployment to", at("workflow_job_run", "environment")),
    deployment_status: deploymentStatus,
    discussion,
    discussion_comment: describeComments("discussion", "discussion"),
    fork: describeFork,
    github_app_authorization: plain("the authorization of an app"),
    gollum: pages,
    installation: plain("the installation of the app", at("installation", "app_slug")),
    installation_repositories: plain("repositories of the app", at("installation", "app_slug")),
    installation_target: plain("the account", at("account", "login")),
    issue_comment: describeComments("issue", "issue"),
    issue_dependencies: plain("an issue:", at("blocked_issue", "title"), at("blocked_issue", "html_url")),
    issues: issue,
    label: plain("the label", at("label", "name")),
    marketplace_purchase: plain("the plan", at("marketplace_purchase", "plan", "name")),
    member: person("as a collaborator"),
    membership: (payload) => {
      const did = payload.at("action").text === "removed" ? "removed" : "added";
      const link = did === "added" ? "to" : "from";
      return toMessage(
        payload,
        sentence(
          who(payload),
          `${did} ${bold(payload.at("member", "login").text)} ${link} the team ${bold(payload.at("team", "name").text)}`,
        ),
      );
    },
    merge_group: plain("a merge group for", (payload) =>
      branchOf(payload.at("merge_group", "base_ref").text),
    ),
    meta: (payload) => toMessage(payload, sentence(who(payload), "deleted this webhook")),
    milestone: plain("the milestone", at("milestone", "title"), at("milestone", "html_url")),
    org_block: person("in the organization"),
    organization: plain("the organization", at("organization", "login")),
    "organization.member_added": person("to the organization", "added"),
    "organization.member_invited": person("to the organization", "invited"),
    "organization.member_removed": person("from the organization", "removed"),
    package: plain("the package", at("package", "name"), at("package", "html_url")),
    page_build: (payload) =>
      toMessage(
        payload,
        `The pages of ${bold(payload.at("repository", "full_name").text)} were built: ${escapeText(payload.at("build", "status").text)}.`,
        "pages",
      ),
    personal_access_token_request: plain("a request for a personal access token"),
    ping,
    project: plain("the project", at("project", "name"), at("project", "html_url")),
    project_card: plain("a card of a project"),
    project_column: plain("the project column", at("project_column", "name")),
    projects_v2: plain("the project", at("projects_v2", "title")),
    projects_v2_item: plain("an item of a project"),
    projects_v2_status_update: plain("the status of a project"),
    public: describePublication,
    pull_request: pullRequest,
    pull_request_review: review,
    pull_request_review_comment: describeComments("pull request", "pull_request"),
    pull_request_review_thread: reviewThread,
    push,
    registry_package: plain(
      "the package",
      at("registry_package", "name"),
      at("registry_package", "html_url"),
    ),
    release,
    repository: plain("the repository", at("repository", "full_name"), at("repository", "html_url")),
    repository_advisory: advisory,
    repository_dispatch: (payload) =>
      toMessage(
        payload,
        sentence(who(payload), `sent the event ${code(payload.at("action").text)} to the repository`),
      ),
    repository_import: (payload) =>
      toMessage(
        payload,
        `The import of ${bold(payload.at("repository", "full_name").text)} ended: ${escapeText(payload.at("status").text)}.`,
      ),
    repository_ruleset: plain("the rule set", at("repository_ruleset", "name")),
    repository_vulnerability_alert: alert("vulnerability alert"),
    secret_scanning_alert: alert("secret scanning alert"),
    secret_scanning_alert_location: alert("secret scanning alert"),
    secret_scanning_scan: plain("a scan for secrets"),
    security_advisory: advisory,
    security_and_analysis: (payload) =>
      toMessage(
        payload,
        sentence(who(payload), "changed the settings for security and analysis"),
        "security",
      ),
    sponsorship: (payload) =>
      toMessage(
        payload,
        sentence(
          firstOf(payload.at("sponsorship", "sponsor", "login").text, who(payload)),
          `${did(payload)} a sponsorship: ${escapeText(payload.at("sponsorship", "tier", "name").text)}`,
        ),
        "sponsors",
      ),
    star: describeStar,
    status,
    sub_issues: plain("a sub-issue of", at("parent_issue", "title"), at("parent_issue", "html_url")),
    team: plain("the team", at("team", "name"), at("team", "html_url")),
    "team.added_to_repository": (payload) =>
      toMessage(
        payload,
        sentence(
          who(payload),
          `gave the team ${bold(payload.at("team", "name").text)} access to the repository`,
        ),
      ),
    "team.removed_from_repository": (payload) =>
      toMessage(
        payload,
        sentence(who(payload), `took the team ${bold(payload.at("team", "name").text)} off the repository`),
      ),
    team_add: (payload) =>
      toMessage(
        payload,
        sentence(
          who(payload),
          `gave the team ${bold(payload.at("team", "name").text)} access to the repository`,
        ),
      ),
    watch: (payload) => toMessage(payload, sentence(who(payload), "watches the repository")),
    workflow_dispatch: (payload) =>
      toMessage(
        payload,
        sentence(
          who(payload),
          `started the workflow ${code(payload.at("workflow").text)} on ${code(branchOf(payload.at("ref").text))}`,
        ),
      ),
    workflow_job: run("workflow_job", "Job"),
    workflow_run: run("workflow_run", "Workflow"),
  },
  quiet: [
    ...[
      "check_run.created",
      "check_run.requested_action",
      "check_run.rerequested",
      "check_suite.*",
      "status",
      "workflow_job.*",
    ],
    ...[
      "workflow_run.requested",
      "workflow_run.in_progress",
      "deployment",
      "create",
      "watch.*",
      "meta.*",
      "label.*",
    ],
    ...[
      "issues.labeled",
      "issues.unlabeled",
      "issues.typed",
      "issues.untyped",
      "issues.pinned",
      "issues.unpinned",
    ],
    ...[
      "pull_request.labeled",
      "pull_request.unlabeled",
      "pull_request.synchronize",
      "pull_request.auto_merge_*",
    ],
    ...[
      "issue_comment.edited",
      "issue_comment.deleted",
      "pull_request_review_comment.edited",
      "pull_request_review_thread.*",
    ],
    ...[
      "project_card.*",
      "project_column.*",
      "projects_v2_item.*",
      "sub_issues.*",
      "custom_property*",
      "github_app_authorization.*",
    ],
    ...[
      "release.created",
      "release.edited",
      "release.prereleased",
      "page_build",
      "secret_scanning_scan.*",
      "installation_target.*",
    ],
    ...[
      "merge_group.*",
      "security_and_analysis",
      "security_advisory.*",
      "personal_access_token_request.*",
      "discussion.labeled",
      "discussion.unlabeled",
    ],
  ],
  sample: {
    headers: { "x-github-event": "issues" },
    payload: {
      action: "opened",
      repository: { name: "example" },
      sender: { login: "confab" },
      issue: { number: 1, title: "A test event", body: "This bot gets the events of GitHub." },
    },
  },
});
