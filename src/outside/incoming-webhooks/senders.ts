// All senders. To add one: a file in senders/, a line here, and fixtures in test/support/incoming-webhooks.
import type { WebhookSender } from "./sender.ts";
import airbrake from "./senders/airbrake.ts";
import alertmanager from "./senders/alertmanager.ts";
import asana from "./senders/asana.ts";
import azureDevops from "./senders/azure-devops.ts";
import bitbucket from "./senders/bitbucket.ts";
import bitbucketServer from "./senders/bitbucket-server.ts";
import buildkite from "./senders/buildkite.ts";
import circleci from "./senders/circleci.ts";
import clickup from "./senders/clickup.ts";
import datadog from "./senders/datadog.ts";
import discourse from "./senders/discourse.ts";
import freshdesk from "./senders/freshdesk.ts";
import gitea from "./senders/gitea.ts";
import github from "./senders/github.ts";
import gitlab from "./senders/gitlab.ts";
import grafana from "./senders/grafana.ts";
import helpscout from "./senders/helpscout.ts";
import heroku from "./senders/heroku.ts";
import homeAssistant from "./senders/home-assistant.ts";
import ifttt from "./senders/ifttt.ts";
import jenkins from "./senders/jenkins.ts";
import jira from "./senders/jira.ts";
import json from "./senders/json.ts";
import linear from "./senders/linear.ts";
import n8n from "./senders/n8n.ts";
import nagios from "./senders/nagios.ts";
import netlify from "./senders/netlify.ts";
import newrelic from "./senders/newrelic.ts";
import notion from "./senders/notion.ts";
import opsgenie from "./senders/opsgenie.ts";
import pagerduty from "./senders/pagerduty.ts";
import pingdom from "./senders/pingdom.ts";
import rollbar from "./senders/rollbar.ts";
import sentry from "./senders/sentry.ts";
import slackIncoming from "./senders/slack-incoming.ts";
import statuspage from "./senders/statuspage.ts";
import stripe from "./senders/stripe.ts";
import teamcity from "./senders/teamcity.ts";
import travis from "./senders/travis.ts";
import trello from "./senders/trello.ts";
import uptimeKuma from "./senders/uptime-kuma.ts";
import uptimerobot from "./senders/uptimerobot.ts";
import vercel from "./senders/vercel.ts";
import wordpress from "./senders/wordpress.ts";
import zabbix from "./senders/zabbix.ts";
import zapier from "./senders/zapier.ts";
import zendesk from "./senders/zendesk.ts";

export const senders: readonly WebhookSender[] = [
  ...[airbrake, alertmanager, asana, azureDevops, bitbucketServer, bitbucket, buildkite, circleci],
  ...[clickup, datadog, discourse, freshdesk, gitea, github, gitlab, grafana],
  ...[helpscout, heroku, homeAssistant, ifttt, jenkins, jira, json, linear],
  ...[n8n, nagios, netlify, newrelic, notion, opsgenie, pagerduty, pingdom],
  ...[rollbar, sentry, slackIncoming, statuspage, stripe, teamcity, travis, trello],
  ...[uptimeKuma, uptimerobot, vercel, wordpress, zabbix, zapier, zendesk],
];

const byName = new Map(senders.map((one) => [one.name, one]));

export function senderNamed(name: string): WebhookSender | null {
  return byName.get(name) ?? null;
}
