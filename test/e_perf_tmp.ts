import { openOn } from "@/app.ts";
import { Database } from "bun:sqlite";
import { existsSync, rmSync } from "node:fs";
import { getMessages, listTopics } from "@/messages/queries.ts";
import { createRealm } from "@/realm/actions.ts";
import { createUser } from "@/users/actions.ts";
import { subscribeByName, unsubscribe } from "@/subscriptions/actions.ts";
import { sendMessage } from "@/messages/actions.ts";
const N = Number(process.argv[2] ?? 1_000_000);
const file = `/tmp/e_perf/${N}.db`;
const fresh = !existsSync(file);
const sqlite = new Database(file, { strict: true });
sqlite.run("PRAGMA journal_mode=WAL"); sqlite.run("PRAGMA synchronous=OFF");
const app = openOn(sqlite, { hosting: true });
const as = (id: number) => app.ctx({ kind: "user", id, client: "test" });
if (fresh) {
  const t = performance.now();
  const o = await createRealm(app.system, { name: "T", owner_email: "o@x.com", owner_name: "Olive", avatar_salt: "s" });
  const owner = as(o.user.user_id);
  const ids = [o.user.user_id];
  for (let i = 0; i < 49; i++) ids.push((await createUser(owner, { email: `u${i}@x.com`, full_name: `User ${i}`, role: 400 } as any)).user.user_id);
  // 50 channels; everyone but the last two in all
  await subscribeByName(owner, { subscriptions: Array.from({ length: 50 }, (_, i) => ({ name: `c${i}` })), principals: ids.slice(0, 48), authorization_errors_fatal: true } as any);
  await subscribeByName(as(ids[48]!), { subscriptions: [{ name: "c1" }, { name: "c2" }, { name: "c3" }], authorization_errors_fatal: true } as any);
  await subscribeByName(owner, { subscriptions: [{ name: "tiny" }], principals: [ids[49], ids[0]], authorization_errors_fatal: true } as any);
  await subscribeByName(owner, { subscriptions: [{ name: "prot" }], principals: [ids[0], ids[5]], invite_only: true, history_public_to_subscribers: false, authorization_errors_fatal: true } as any);
  const dm = await sendMessage(as(ids[3]!), { type: "direct", to: [ids[4]!], content: "hi" });
  const conv = sqlite.query("SELECT id, channel_id FROM conversations ORDER BY id").all() as any[];
  const body = "Lorem ipsum dolor sit amet, consectetur adipiscing elit, sed do eiusmod tempor incididunt ut labore et dolore magna aliqua";
  sqlite.run("BEGIN");
  const ins = sqlite.prepare("INSERT INTO messages (conversation_id, home_id, seq, sender_id, client_id, sent_at, bits, topic, topic_key, content, rendered) VALUES (?1,?1,?2,?3,1,?4,?5,?6,?6,?7,?8)");
  const seq = new Map<number, number>(sqlite.query("SELECT conversation_id a, last_seq b FROM sequences").values() as any);
  const chans = conv.filter((c) => c.channel_id);
  for (let i = 0; i < N; i++) {
    let c = chans[i % 50].id;
    if (i % (N / 10) === 5) c = chans[50].id; // tiny: 10
    if (i % 20 === 7 && i < N / 2) c = chans[51].id; // prot
    if (i % (N / 50) === 11) c = conv.find((x) => !x.channel_id).id;
    const s = (seq.get(c) ?? 0) + 1; seq.set(c, s);
    ins.run(c, s, ids[(i * 31) % 48]!, 1700000000 + i, i % 50000 === 3 ? 1 : 0, i % 3 ? `topic ${i % 41}` : "bench", body, `<p>${body}</p>`);
    if (i === N / 4) { for (const [k, v] of seq) sqlite.run("UPDATE sequences SET last_seq=? WHERE conversation_id=?", [v, k]); }
  }
  for (const [k, v] of seq) sqlite.run("UPDATE sequences SET last_seq=? WHERE conversation_id=?", [v, k]);
  sqlite.run("INSERT INTO read_marks (user_id, conversation_id, upto_seq) SELECT user_id, conversation_id, (SELECT last_seq FROM sequences q WHERE q.conversation_id = s.conversation_id) - 20 FROM receipt_spans s WHERE user_id <> 20 ON CONFLICT DO UPDATE SET upto_seq=excluded.upto_seq");
  for (let i = 0; i < 200; i++) sqlite.run("INSERT INTO message_flags VALUES (?, ?, 1)", [ids[1]!, 1 + i * Math.floor(N / 201)]);
  sqlite.run("COMMIT");
  await subscribeByName(owner, { subscriptions: [{ name: "prot" }], principals: [ids[6]], authorization_errors_fatal: true } as any);
  await unsubscribe(owner, { names: ["prot"], user_ids: [ids[5]!] } as any);
  console.log("filled", Math.round(performance.now() - t), "ms");
}
const ids = (sqlite.query("SELECT id FROM users ORDER BY id").values() as number[][]).map((r) => r[0]!);
const base = { include_anchor: true, num_before: 100, num_after: 0, narrow: [] as any[], apply_markdown: true, client_gravatar: true, allow_empty_topic_name: true, use_first_unread_anchor: false };
const t = (operator: string, operand: any, negated = false) => ({ operator, operand, negated });
const mid = String(Math.floor(N / 2));
const cases: [string, number, any][] = [
  ["all newest", ids[1]!, { anchor: "newest" }],
  ["all middle 50/50", ids[1]!, { anchor: mid, num_before: 50, num_after: 50 }],
  ["all oldest", ids[1]!, { anchor: "oldest", num_before: 0, num_after: 100 }],
  ["few channels newest", ids[48]!, { anchor: "newest" }],
  ["few channels middle", ids[48]!, { anchor: mid, num_before: 50, num_after: 50 }],
  ["tiny newest", ids[49]!, { anchor: "newest" }],
  ["tiny middle", ids[49]!, { anchor: mid, num_before: 50, num_after: 50 }],
  ["one channel newest", ids[1]!, { anchor: "newest", narrow: [t("channel", "c5")] }],
  ["one channel middle", ids[1]!, { anchor: mid, num_before: 50, num_after: 50, narrow: [t("channel", "c5")] }],
  ["one topic newest", ids[1]!, { anchor: "newest", narrow: [t("channel", "c5"), t("topic", "bench")] }],
  ["topic anywhere", ids[1]!, { anchor: "newest", narrow: [t("topic", "topic 7")] }],
  ["topic nowhere", ids[1]!, { anchor: "newest", narrow: [t("topic", "zzz")] }],
  ["sender", ids[1]!, { anchor: "newest", narrow: [t("sender", ids[7])] }],
  ["sender without messages", ids[1]!, { anchor: "newest", narrow: [t("sender", ids[49])] }],
  ["channel+sender", ids[1]!, { anchor: "newest", narrow: [t("channel", "c5"), t("sender", ids[7])] }],
  ["dm rare", ids[3]!, { anchor: "newest", narrow: [t("is", "dm")] }],
  ["dm", ids[3]!, { anchor: "newest", narrow: [t("dm", [ids[4]])] }],
  ["dm-including none", ids[1]!, { anchor: "newest", narrow: [t("dm-including", ids[4])] }],
  ["starred", ids[1]!, { anchor: "newest", narrow: [t("is", "starred")] }],
  ["mentioned (wildcards)", ids[1]!, { anchor: "newest", narrow: [t("is", "mentioned")] }],
  ["mentioned in tiny", ids[49]!, { anchor: "newest", narrow: [t("is", "mentioned")] }],
  ["unread 1000", ids[1]!, { anchor: "first_unread", narrow: [t("is", "unread")] }],
  ["first_unread all", ids[1]!, { anchor: "first_unread", num_before: 50, num_after: 50 }],
  ["first_unread all, 950k unread", 20, { anchor: "first_unread", num_before: 50, num_after: 50 }],
  ["is:unread, 950k unread", 20, { anchor: "newest", narrow: [t("is", "unread")] }],
  ["-is:unread, 950k unread", 20, { anchor: "newest", narrow: [t("is", "unread", true)] }],
  ["first_unread in channel w/o unread, 950k unread", 20, { anchor: "first_unread", narrow: [t("dm", 20)] }],
  ["-channel", ids[1]!, { anchor: "newest", narrow: [t("channel", "c5", true)] }],
  ["channels:public", ids[49]!, { anchor: "newest", narrow: [t("channels", "public")] }],
  ["channels:public + sender none", ids[49]!, { anchor: "newest", narrow: [t("channels", "public"), t("sender", ids[49])] }],
  ["protected, all received", ids[0]!, { anchor: "newest", narrow: [t("channel", "prot")] }],
  ["protected, joined late", ids[6]!, { anchor: "newest", narrow: [t("channel", "prot")] }],
  ["left private", ids[5]!, { anchor: "newest", narrow: [t("channel", "c1", true)] }],
  ["tiny -sender(rare)", ids[49]!, { anchor: "newest", narrow: [t("is", "starred", true), t("topic", "bench", true)] }],
  ["5000 rows", ids[1]!, { anchor: "newest", num_before: 5000 }],
];
for (const [name, id, more] of cases) {
  const ctx = as(id);
  let r: any; const times: number[] = [];
  for (let i = 0; i < 5; i++) { const a = performance.now(); try { r = getMessages(ctx, { ...base, ...more }); } catch (e: any) { r = { messages: [], err: e.message }; } times.push(performance.now() - a); }
  console.log(name.padEnd(50), String(r.messages.length).padStart(5), r.err ?? "", times.map((x) => x.toFixed(2)).join(" "));
}
for (const [name, id, ch] of [["topics of c5", ids[1]!, 6], ["topics of prot", ids[0]!, 52], ["topics of prot joined late", ids[6]!, 52]] as const) {
  const a = performance.now(); const r = listTopics(as(id), { channel_id: ch, allow_empty_topic_name: true }); console.log(name, r.length, (performance.now() - a).toFixed(2));
}
