// https://docs.stripe.com/webhooks
import { facts, message, plainEvent, timeOf } from "../parts.ts";
import { firstOf, type PayloadValue } from "../payload.ts";
import { type PayloadWording, sender } from "../sender.ts";
import { isAnyHmac, isRecent, valuesIn } from "../signing.ts";
import { bold, escapeText, link, words } from "../wording.ts";

const withoutDecimals = new Set("bif clp djf gnf jpy kmf krw mga pyg rwf vnd vuv xaf xof xpf".split(" "));
const withThree = new Set("bhd jod kwd omr tnd".split(" "));

/** An amount in the smallest unit of a currency, such as "42.00 EUR". */
function money(amount: PayloadValue, currency: string): string {
  if (typeof amount.value !== "number" || !Number.isFinite(amount.value)) return "an amount";
  const decimals = withoutDecimals.has(currency) ? 0 : withThree.has(currency) ? 3 : 2;
  return `${(amount.number / 10 ** decimals).toFixed(decimals)} ${words(currency).toUpperCase()}`.trim();
}

const pages: readonly [string, RegExp][] = [
  ["payments", /^(ch|py|pi)_/],
  ["customers", /^cus_/],
  ["subscriptions", /^sub_/],
  ["invoices", /^in_/],
  ["disputes", /^(dp|du)_/],
  ["payouts", /^po_/],
];

function linkTo(text: string, id: string, payload: PayloadValue): string {
  const page = pages.find(([, pattern]) => pattern.test(id))?.[0];
  const test = payload.at("livemode").value === false ? "test/" : "";
  return link(
    text,
    page && /^\w{1,100}$/.test(id) ? `https://dashboard.stripe.com/${test}${page}/${id}` : "",
  );
}

/** Who pays, by name if it is there. */
function customerOf(one: PayloadValue): string {
  return firstOf(
    one.at("customer_name").text,
    one.at("customer_details", "name").text,
    one.at("billing_details", "name").text,
    one.at("customer", "name").text,
    one.at("customer").text,
    one.at("customer", "id").text,
    one.at("name").text,
  );
}

type Description = (one: PayloadValue, payload: PayloadValue) => string | null;

const say =
  (describe: Description, topic = ""): PayloadWording =>
  (payload) => {
    const one = payload.at("data", "object");
    const text = describe(one, payload);
    if (text === null) return null;
    const test = payload.at("livemode").value === false ? " (test)" : "";
    return message(
      firstOf(topic, customerOf(one), "Stripe"),
      `${text}${test}`,
      facts([
        ["Customer", customerOf(one)],
        ["Reason", firstOf(one.at("failure_message").text, words(one.at("reason").text))],
      ]),
    );
  };

const amount = (one: PayloadValue, field = "amount") => money(one.at(field), one.at("currency").text);
const plan = (one: PayloadValue) => {
  const item = one.at("items", "data", 0);
  return firstOf(
    item.at("price", "nickname").text,
    item.at("price", "id").text,
    one.at("plan", "nickname").text,
    one.at("plan", "id").text,
    "a plan",
  );
};

const subscription =
  (head: string): Description =>
  (one, payload) =>
    `${head} ${linkTo("subscription", one.at("id").text, payload)} to ${bold(plan(one))}.`;

const subscriptionUpdated: Description = (one, payload) => {
  const old = payload.at("data", "previous_attributes");
  const has = (field: string) => old.fields.some(([name]) => name === field);
  const told = [
    has("status") ? `is now ${bold(words(one.at("status").text) || "changed")}` : "",
    has("cancel_at_period_end")
      ? one.at("cancel_at_period_end").isTrue
        ? "ends with the current period"
        : "goes on after the current period"
      : "",
    has("plan") || has("items") ? `is to ${bold(plan(one))}` : "",
    has("quantity") ? `is for ${escapeText(one.at("quantity").text || "another number")}` : "",
  ].filter((text) => text !== "");
  if (told.length === 0) return null;
  return `The ${linkTo("subscription", one.at("id").text, payload)} ${told.join(", ")}.`;
};

const invoice =
  (head: string, field: string): Description =>
  (one, payload) => {
    const named = linkTo(`invoice ${one.at("number").text}`.trim(), one.at("id").text, payload);
    const next = timeOf(one.at("next_payment_attempt").number);
    return `${head} ${named}: ${escapeText(amount(one, field))}.${next === "" ? "" : ` It is tried again ${next}.`}`;
  };

export default sender({
  name: "stripe",
  title: "Stripe",
  setup: { where: "Developers, Webhooks, Add destination", field: "Endpoint URL" },
  deliveryOf: ({ payload }) => payload.at("id").text,
  eventOf: ({ payload }) => firstOf(payload.at("type").text, "unknown"),
  isSigned: ({ body, header, now }, secret) => {
    const signature = header("stripe-signature");
    const [time = ""] = valuesIn(signature, "t");
    return (
      isRecent(Number(time), now) && isAnyHmac(valuesIn(signature, "v1"), { body: `${time}.${body}`, secret })
    );
  },
  events: {
    "charge.succeeded": say(
      (one, payload) => `✅ ${linkTo("Payment", one.at("id").text, payload)} of ${amount(one)}.`,
    ),
    "charge.failed": say(
      (one, payload) => `❌ ${linkTo("Payment", one.at("id").text, payload)} of ${amount(one)} failed.`,
    ),
    "charge.refunded": say(
      (one, payload) =>
        `↩ ${linkTo("Refund", one.at("id").text, payload)} of ${amount(one, "amount_refunded")}.`,
    ),
    "charge.dispute.created": say((one, payload) => {
      const due = timeOf(one.at("evidence_details", "due_by").number);
      return `⚠ New ${linkTo("dispute", one.at("id").text, payload)} about ${amount(one)}.${due === "" ? "" : ` Answer until ${due}.`}`;
    }, "disputes"),
    "charge.dispute.closed": say(
      (one, payload) =>
        `The ${linkTo("dispute", one.at("id").text, payload)} about ${amount(one)} is ${bold(words(one.at("status").text) || "closed")}.`,
      "disputes",
    ),
    "checkout.session.completed": say((one) => `✅ Checkout of ${amount(one, "amount_total")}.`),
    "customer.created": say(
      (one, payload) =>
        `New customer ${linkTo(firstOf(one.at("name").text, one.at("id").text, "without a name"), one.at("id").text, payload)}.`,
    ),
    "customer.deleted": say(
      (one) => `The customer ${bold(firstOf(one.at("name").text, one.at("id").text))} was deleted.`,
    ),
    "customer.subscription.created": say(subscription("New")),
    "customer.subscription.updated": say(subscriptionUpdated),
    "customer.subscription.deleted": say(subscription("Ended:")),
    "customer.subscription.trial_will_end": say(subscription("The trial ends soon:")),
    "invoice.paid": say(invoice("✅ Paid:", "amount_paid")),
    "invoice.payment_failed": say(invoice("❌ Not paid:", "amount_due")),
    "payout.failed": say(
      (one, payload) => `❌ ${linkTo("Payout", one.at("id").text, payload)} of ${amount(one)} failed.`,
      "payouts",
    ),
    "radar.early_fraud_warning.created": say(() => "⚠ Warning of a fraud.", "disputes"),
    "*": plainEvent("Stripe"),
  },
  quiet: [],
  sample: {
    headers: {},
    payload: {
      type: "customer.created",
      livemode: false,
      data: { object: { id: "cus_test", name: "A test event" } },
    },
  },
});
