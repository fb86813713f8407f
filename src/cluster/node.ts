// The protocol of several nodes: it elects a leader, which always has everything that was acknowledged before
// (docs/design.md#several-nodes). The lease decides who may try; only the log decides who leads.

import type { Emitted } from "@/kernel/core/events.ts";
import type { CommitLog, Committed, Entry, LogPosition } from "@/kernel/store/commit-log.ts";
import { EndOfNode, NotAppended } from "@/kernel/store/commit-log.ts";
import type { LoggedWrites } from "@/kernel/store/logged-writes.ts";
import { Appender, NoAppendAnswer } from "./appender.ts";
import { chainEntries, checkReaches, checkSame, entryAfter, Trace, termOf } from "./history.ts";
import {
  HeldLease,
  holdMs,
  KnownLeader,
  type LeadershipOptions,
  LeaseWatch,
  pauseAfter,
  type SeenLeadership,
} from "./leadership.ts";
import { QueueFilling } from "./queues/filling.ts";
import { Past } from "./queues/past.ts";
import { type Ends, Fenced, type Leader, type SharedLog, withRetries } from "./shared-log.ts";
import { Arrivals } from "./watching/arrivals.ts";
import { Beats } from "./watching/beats.ts";
import { LogChecks } from "./watching/log-checks.ts";
import { LogEnd } from "./watching/log-end.ts";
import { explainTakenName, Neighbours } from "./watching/neighbours.ts";
import { Spreading } from "./watching/spreading.ts";
import { UnconfirmedEntries } from "./watching/unconfirmed.ts";
import { decode, encode, type Head } from "./wire.ts";

const nothing: Committed = { written: [], emitted: [] };
/** The content of a term's first entry: nothing but room for the IDs of events outside the log. */
const termRecord: Committed = { ...nothing, room: 256 };
/** The number of entries to read at a time. */
const page = 32;
/** How long a node that keeps failing waits before it logs the error again. */
const silenceMs = 1_000;
/** How long a leader that steps down waits for its last entry. */
const handoverMs = 1_000;
/** How often a node looks where the log ends. */
const lookMs = 1_000;
const leastLookMs = 100;

export class ClusterNode implements CommitLog {
  private isLeading = false;
  private readonly known = new KnownLeader();
  readonly trace = new Trace();
  private readonly held: HeldLease;
  private readonly watch: LeaseWatch;
  private readonly neighbours: Neighbours;
  private readonly arrivals = new Arrivals();
  private readonly logChecks = new LogChecks(() => this.succeeds(() => this.catchUp()));
  private readonly unconfirmed = new UnconfirmedEntries(this);
  readonly spread: CommitLog["spread"];
  private readonly beats = new Beats(() => this.beat());
  private readonly looks = new Beats(() => this.look());
  private readonly logEnd: LogEnd;
  /** It follows the log no more. */
  isStopped = false;
  private saidAt = Number.NEGATIVE_INFINITY;
  /** This node does not lead until it is restarted. */
  isDraining = false;
  /** When it began to do what it does (to lead in this term, to follow, to be drained), in milliseconds since 1970. */
  since = Date.now();
  /** The other nodes reach another one better, which should lead. */
  isLessReached = false;
  readonly appending: Appender;
  readonly past: Past;
  private readonly filling: QueueFilling;
  private replica!: LoggedWrites;

  constructor(
    private readonly shared: SharedLog,
    private readonly options: LeadershipOptions,
  ) {
    this.held = new HeldLease(shared.lease, options.me);
    this.watch = new LeaseWatch(shared.lease, this.held.id);
    this.neighbours = new Neighbours(shared.talk, { node: options.me.node, id: this.held.id });
    this.past = options.past ?? new Past();
    this.filling = new QueueFilling(this.past, shared);
    this.logEnd = options.logEnd ?? new LogEnd();
    const spreading = new Spreading(shared, options.me.node);
    this.spread = (seq) => spreading.wait(seq);
    this.appending = new Appender(shared, options.me.node, this.past);
  }

  get leads(): boolean {
    return this.isLeading;
  }

  /** Whether nobody else can lead: it need not look what the log has that it has not written. */
  get leadsSurely(): boolean {
    return this.isLeading && !this.held.isOver;
  }

  /** The leader that this node knows, or null. */
  get leader(): Leader | null {
    return this.known.leader;
  }

  /** Aborts once the current leader is no longer the leader: it may never answer. */
  get leaderGone(): AbortSignal {
    return this.known.gone;
  }

  get term(): number {
    return this.trace.term;
  }

  get position(): number {
    return this.replica.position.seq;
  }

  /** How many entries this node has learned of but not applied. */
  get lag(): number {
    return Math.max(0, this.arrivals.newest - this.position);
  }

  /** For how long it has not known the log's end, or not had all of the log up to there, in milliseconds. */
  get unknownMs(): number {
    return this.logEnd.unknownMs;
  }

  /** Whether its data is new enough for clients. */
  get isCurrent(): boolean {
    return this.unknownMs <= (this.options.readsMs ?? Number.POSITIVE_INFINITY);
  }

  /** Differs for each process of a node. */
  get id(): string {
    return this.held.id;
  }

  /** Whether nothing but another leader keeps it from leading. */
  get mayLead(): boolean {
    return !this.isStopped && !this.isDraining && !this.replica.isStuck;
  }

  /** Lets others lead, if this node does; it leads again where none does. */
  giveUp(why: string): Promise<void> {
    return this.stepDown(why);
  }

  /** Lets others lead, or takes part again. */
  async drain(isDraining: boolean): Promise<void> {
    if (this.isDraining !== isDraining) this.since = Date.now();
    this.isDraining = isDraining;
    if (isDraining) await this.stepDown("it is drained");
  }

  /** Brings the database up to date, then follows the log, and leads whenever no other node does. */
  async start(replica: LoggedWrites): Promise<void> {
    if (await withRetries(() => this.neighbours.twin()))
      throw new EndOfNode(explainTakenName(this.options.me));
    this.replica = replica;
    // What it still lacks may take a while to read.
    this.shared.talk.report(() => this.options.state?.() ?? null);
    this.past.startAt(replica.position, replica.nextEventId);
    this.trace.term = await withRetries(() => termOf(replica.position, this.shared));
    await withRetries(() => this.catchUp());
    this.shared.talk.listen({
      onEntry: (seq, data) => this.receiveEntry(seq, data),
      onEvents: (data) => this.receiveEvents(data),
      peer: () => ({ node: this.options.me.node, id: this.held.id, position: this.position }),
      trial: async (of) => (await this.options.trial?.(of)) ?? null,
    });
    this.beats.start();
    this.looks.start();
  }

  /** Gives back the lease, so that another node need not wait for it to expire. */
  async stop(): Promise<void> {
    this.isStopped = true;
    await Promise.all([this.beats.stop(), this.looks.stop()]);
    await this.stepDown("it stops");
    await this.shared.close();
  }

  /** Resolves with true once the database holds entry `seq`, or with false after `ms`. */
  reach(seq: number, ms: number): Promise<boolean> {
    return this.position >= seq ? Promise.resolve(true) : this.arrivals.wait(seq, ms);
  }

  /** Reads new entries of the log; resolves with false if that fails, and never rejects. */
  async checkLog(): Promise<boolean> {
    if (this.isLeading && !(await this.succeeds(() => this.lookWhileLeading()))) return false;
    return this.isLeading || this.logChecks.run();
  }

  /** Has `past` hold all events from this ID on, as far as it holds what is so old. */
  reachBack(id: number): Promise<void> {
    return this.filling.reach(id);
  }

  async append(batch: Committed, fence: LogPosition): Promise<LogPosition> {
    if (!this.isLeading) throw new NotAppended("This node does not lead");
    const asked = this.logEnd.ask();
    const seq = fence.seq + 1;
    this.unconfirmed.expect(seq);
    try {
      const position = await this.appending.put({ term: this.term }, batch, fence);
      this.unconfirmed.forget(seq);
      this.logEnd.noteEnd(position.seq, asked, position.seq);
      return position;
    } catch (error) {
      const isUnanswered = error instanceof NoAppendAnswer;
      if (!isUnanswered) this.unconfirmed.forget(seq);
      const thrown = isUnanswered ? this.unconfirmed.errorFor(error) : error;
      // A full log is full for every leader. A leader that is fenced off, or gets no answer for its entry, steps down.
      if (error instanceof Fenced || !(error instanceof NotAppended)) await this.stepDown(String(error));
      throw thrown;
    }
  }

  async read(after: LogPosition): Promise<Entry[]> {
    // A write that waits for this would be refused in the end, but keep its client until the connection closes.
    if (this.isStopped) throw new Error("This node stops");
    const { first, last } = await this.ends(after.seq);
    if (last <= after.seq) return [];
    checkReaches(first, after);
    const found = await this.shared.read(after.seq + 1, Math.min(last, after.seq + page));
    return chainEntries(after, found, (data, before) => this.entryOf(data, before));
  }

  announce(emitted: readonly Emitted[]): void {
    if (this.isStopped) return;
    this.shared.talk.broadcast(encode({ after: "", term: this.term }, { ...nothing, emitted }));
  }

  endNode(error: EndOfNode): void {
    this.isStopped = true;
    this.isLeading = false;
    this.options.end(error);
  }

  // Following

  private async ends(position: number): Promise<Ends> {
    const asked = this.logEnd.ask();
    const ends = await this.shared.ends();
    this.arrivals.observe(ends.last);
    this.logEnd.noteEnd(ends.last, asked, position);
    return ends;
  }

  /** Looks where the log ends, unless an append has just shown it. */
  private async look(): Promise<number> {
    if (this.unknownMs >= lookMs) await this.checkLog();
    return Math.max(leastLookMs, lookMs - this.unknownMs);
  }

  /** A leader that was frozen, or cut off, may have been replaced. */
  private async lookWhileLeading(): Promise<void> {
    const { last } = await this.ends(this.position);
    if (last > Math.max(this.position, this.appending.newest)) this.yieldLead();
  }

  private yieldLead(): void {
    void this.stepDown("the log has entries of another leader");
  }

  private entryOf(data: Uint8Array, before: LogPosition): Entry & Head {
    const entry = entryAfter(before, data);
    // It must not append an entry of a term that it has only read about.
    if (this.isLeading && entry.term > this.term) this.yieldLead();
    this.past.hold(entry.position.seq, data, entry);
    this.trace.read(entry);
    this.unconfirmed.read(entry.position);
    return entry;
  }

  private receiveEntry(seq: number, data: Uint8Array): void {
    if (this.isLeading || this.isStopped) return;
    this.arrivals.observe(seq);
    try {
      const { position } = this.replica;
      if (seq === position.seq) checkSame(position, data);
      if (seq === position.seq + 1) {
        const entry = this.entryOf(data, position);
        this.replica.apply(entry);
        // The lease says where this new leader is.
        if (entry.leads !== undefined) this.beats.hurry();
      } else if (seq > position.seq) void this.succeeds(() => this.catchUp());
    } catch (error) {
      this.noteFailure(error);
    }
    this.arrive();
  }

  private arrive(): void {
    this.arrivals.at(this.position);
    this.logEnd.noteReached(this.position);
  }

  private receiveEvents(data: Uint8Array): void {
    this.replica.deliver(decode(data).emitted);
    if (this.isLeading) this.replica.keepRoom();
  }

  private async catchUp(): Promise<void> {
    await this.replica.catchUp();
    this.arrive();
  }

  private async succeeds(work: () => Promise<unknown>): Promise<boolean> {
    try {
      await work();
      return true;
    } catch (error) {
      this.noteFailure(error);
      return false;
    }
  }

  /** Unrecoverable errors end the node; others (a full disk, a silent NATS) are retried at the next beat. */
  private noteFailure(error: unknown): void {
    if (error instanceof EndOfNode) this.endNode(error);
    // With a full disk, every entry fails: do not log each one.
    if (this.isStopped || performance.now() - this.saidAt < silenceMs) return;
    this.saidAt = performance.now();
    this.say("cluster_failed", { error: String(error) });
  }

  // Leading

  private async beat(): Promise<number> {
    const isDone = await this.succeeds(() => this.next());
    const { leftMs } = this.watch;
    return pauseAfter(
      isDone,
      { leads: this.leads, isStuck: this.replica.isStuck, leftMs },
      this.shared.lease.ms,
    );
  }

  private async next(): Promise<unknown> {
    if (this.isLeading && !(await this.renewOrLose())) return;
    const seen = await this.watch.look();
    this.known.set(seen.isFree ? null : seen.leader);
    this.refuseTwin(seen);
    if (!(seen.isFree || seen.isLeft) || this.isDraining) return;
    if (this.isLeftToOthers(seen) && !(await this.isLeftByOthers())) return;
    if (this.replica.isStuck) await this.catchUp();
    if (!(await this.held.take(seen.revision))) return;
    try {
      await this.takeOver(seen.former);
    } finally {
      // A node that cannot lead must not prevent others.
      if (!this.isLeading) await this.held.giveBack();
    }
  }

  /** Two processes with one name would take the lease and the clients' queues from each other for ever. */
  private refuseTwin({ isFree, isAlive, leader }: SeenLeadership): void {
    const { me } = this.options;
    // An import holds the lease under the node's name while a node of its own, which never leads, reads the log.
    if (this.isDraining) return;
    if (isAlive && leader?.node === me.node) throw new EndOfNode(explainTakenName(me));
    if (isFree) return;
    // If they started at the same moment, one of them stays.
    void this.neighbours.twinIfDue().then((twin) => {
      if (twin && !this.isLeading && (twin.id ?? "") < this.held.id)
        this.noteFailure(new EndOfNode(explainTakenName(me)));
    });
  }

  /** Others take a free lease first if this node is too busy, is reached less well, or leads only where no other does. */
  private isLeftToOthers({ leader, unchangedMs }: SeenLeadership): boolean {
    if (!this.options.isLast && !this.beats.areLate && !this.isLessReached) return false;
    const hold = holdMs(this.shared.lease);
    return unchangedMs < 2 * hold + (leader ? hold : 0);
  }

  /** Whether this node, which leads only where no other does, need not wait for them: all say that they are drained, or wait as well. */
  private async isLeftByOthers(): Promise<boolean> {
    if (!this.options.isLast) return false;
    const states = await this.shared.talk.states();
    const unwilling = states.flatMap((one) => (one.is_draining || one.is_waiting ? one.node : []));
    const others = this.neighbours.recent;
    return others.length > 0 && others.every((name) => unwilling.includes(name));
  }

  /** Whether the lease was lost. Another node may have led meanwhile, so this one leads on only if it takes over again. */
  private async renewOrLose(): Promise<boolean> {
    if (this.replica.isStuck) {
      await this.stepDown("its database takes no entry");
      return false;
    }
    try {
      if (!(await this.held.renew())) {
        await this.stepDown("the lease was lost");
        return true;
      }
      this.replica.keepRoom();
    } catch (error) {
      if (!this.held.isOver) throw error;
      this.appending.abandon();
      await this.stepDown(`the lease could not be renewed: ${error}`);
    }
    return false;
  }

  /** Reads the log to its end and claims the next place there: from then on no earlier leader's entry can be appended. */
  private async takeOver(former: string | null): Promise<void> {
    const begin = performance.now();
    const { me } = this.options;
    while (!this.isStopped && !this.held.isOver) {
      const positions = await this.neighbours.positions(former);
      const { last } = await this.shared.ends();
      const newest = Math.max(this.position, ...positions);
      if (last < newest) {
        return this.say("cluster_refuses_to_lead", { log_ends_at: last, a_node_is_at: newest });
      }
      await this.catchUp();
      if (this.position < last) continue;
      const fence = this.replica.position;
      const [term, { schema }] = [this.term + 1, this.replica];
      try {
        const position = await this.appending.put({ term, leads: me.node, schema }, termRecord, fence);
        this.trace.read({ term });
        this.held.term = term;
        this.unconfirmed.read(position);
        this.replica.apply({ ...termRecord, position, schema });
        this.isLeading = true;
        this.since = Date.now();
        this.appending.counted.elections++;
        this.known.set(me);
        this.options.onLead?.();
        const ms = Math.round(performance.now() - begin);
        return this.say("cluster_leads", { term, position: position.seq, ms });
      } catch (error) {
        if (!(error instanceof Fenced)) throw error;
      }
    }
  }

  private async stepDown(why: string): Promise<void> {
    if (!this.isLeading) return;
    this.isLeading = false;
    if (!this.isDraining) this.since = Date.now();
    this.known.set(null);
    this.say("cluster_leads_no_more", { why, position: this.position });
    // The next leader would refuse an entry that is still on its way.
    await this.appending.finish(handoverMs);
    await this.held.giveBack();
  }

  private say(event: string, fields: Record<string, string | number>): void {
    this.options.log.warn(event, { node: this.options.me.node, ...fields });
  }
}
