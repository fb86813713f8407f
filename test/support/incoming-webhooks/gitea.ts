// One post of each kind that Gitea and Forgejo document.
import type { Fixture } from "./fixture.ts";

const web = "https://git.example/acme/engine";
const sender = { id: 1, login: "ada", username: "ada" };
const repository = { id: 7, name: "engine", full_name: "acme/engine", html_url: web };
const issue = { number: 3, title: "Pump leaks", html_url: `${web}/issues/3`, body: "It drips." };
const pull_request = {
  number: 12,
  title: "Fix the pump",
  html_url: `${web}/pulls/12`,
  body: "Closes #3",
  merged: false,
  head: { ref: "fix" },
  base: { ref: "main" },
};
const comment = { html_url: `${web}/issues/3#issuecomment-1`, body: "Same here." };

const posts: Record<string, Record<string, unknown>> = {
  push: {
    ref: "refs/heads/main",
    before: "1".repeat(40),
    after: "2".repeat(40),
    compare_url: `${web}/compare/1111...2222`,
    total_commits: 2,
    commits: [
      { id: "bbbbbbbbbb", url: `${web}/commit/bbbb`, message: "Test it\n", author: { name: "Bob" } },
      { id: "aaaaaaaaaa", url: `${web}/commit/aaaa`, message: "Fix the pump\n", author: { name: "Ada" } },
    ],
    pusher: sender,
  },
  create: { ref: "v1.0", ref_type: "tag" },
  delete: { ref: "old", ref_type: "branch" },
  fork: {
    forkee: { full_name: "acme/engine" },
    repository: { name: "engine", full_name: "bob/engine", html_url: "https://git.example/bob/engine" },
  },
  "issues.opened": { issue },
  "issues.closed": { issue },
  "issue_assign.assigned": { issue },
  "issue_label.label_updated": { issue },
  "issue_milestone.milestoned": { issue },
  "issue_comment.created": { issue, comment, is_pull: false },
  "pull_request.opened": { pull_request, number: 12 },
  "pull_request.closed": { pull_request: { ...pull_request, merged: true } },
  "pull_request.reopened": { pull_request },
  "pull_request_assign.assigned": { pull_request },
  "pull_request_label.label_updated": { pull_request },
  "pull_request_milestone.demilestoned": { pull_request },
  "pull_request_sync.synchronized": { pull_request },
  "pull_request_review_request.review_requested": { pull_request },
  "pull_request_comment.created": {
    issue: { ...issue, ...pull_request },
    pull_request,
    comment,
    is_pull: true,
  },
  "pull_request_review_approved.reviewed": {
    pull_request,
    review: { type: "pull_request_review_approved", content: "Good." },
  },
  "pull_request_review_rejected.reviewed": {
    pull_request,
    review: { type: "pull_request_review_rejected", content: "Use a seal." },
  },
  "pull_request_review_comment.reviewed": {
    pull_request,
    review: { type: "pull_request_review_comment", content: "Hm." },
  },
  "repository.created": {},
  "release.published": {
    release: { name: "1.0", tag_name: "v1.0", html_url: `${web}/releases/1`, body: "Pumps." },
  },
  "package.created": { package: { name: "pump", version: "1.0", html_url: `${web}/packages/1` } },
  "wiki.created": { page: "Home" },
  status: {
    sha: "0123456789abcdef",
    state: "success",
    context: "ci/build",
    description: "Built",
    target_url: "https://ci.example/1",
  },
  "workflow_run.completed": {
    workflow_run: {
      display_title: "CI",
      conclusion: "failure",
      head_branch: "main",
      html_url: `${web}/actions/runs/1`,
    },
  },
  "workflow_job.completed": {
    workflow_job: {
      name: "build",
      conclusion: "success",
      head_branch: "main",
      html_url: `${web}/actions/jobs/1`,
    },
  },
  action_run_failure: {
    run: { name: "CI", status: "failure", head_branch: "main", html_url: `${web}/actions/runs/2` },
  },
  action_run_recover: {
    run: { name: "CI", status: "success", head_branch: "main", html_url: `${web}/actions/runs/3` },
  },
  action_run_success: {
    run: { name: "CI", status: "success", head_branch: "main", html_url: `${web}/actions/runs/4` },
  },
};

export const gitea: Fixture[] = Object.entries(posts).map(([event, fields]) => {
  const [kind = "", action] = event.split(".");
  return {
    sender: "gitea",
    what: event,
    headers: { "x-gitea-event": kind, "x-gitea-event-type": kind },
    payload: { ...(action ? { action } : {}), sender, repository, ...fields },
  };
});
