import type { SignedCheckpoint } from '../../domain/checkpoints/checkpoint.events.js';
import { canonicalJson } from '../../eventsourcing/canonical-json.js';
import type { EventStore, StoredEvent } from '../../eventsourcing/ports/event-store.port.js';
import { leafHash, proofMembers } from '../proof/log-digest.js';
import { exportedEvent, type ExportedEvent } from './exported-event.js';
import { tenantProof, treeProof, type CheckpointBefore, type ExportProof } from './export-proof.js';
import type { ExportManifest, ExportScope } from './manifest.js';

/** An export cannot be made, because the log was altered. The message says where, and what an operator must do. */
export class ExportFailed extends Error {
  override readonly name = 'ExportFailed';
}

/**
 * The scope of an export, and the checkpoints between which the export reads. `base` is null if the export reads from the start
 * of the log.
 */
export type ExportPlan = { readonly scope: ExportScope; readonly base: CheckpointBefore | null; readonly cover: SignedCheckpoint };

/** The progress of an export as JSON, from which an interrupted export continues. */
export type ExportState = {
  /** The number and the position of the last event that was read. */
  readonly size: number;
  readonly position: number;
  /** The number of events in events.ndjson so far. */
  readonly count: number;
  /** Whether the first event of the range was reached. */
  readonly hasBegun: boolean;
  readonly eventBefore: ExportedEvent | null;
  readonly proof: unknown;
};

/**
 * An event that the export will either show or hide, depending on a later event. `event` is null if the event is outside the
 * scope.
 */
type Undecided = { readonly leaf: Uint8Array; readonly tenant: string; readonly event: ExportedEvent | null };

const VERIFY = 'run "petstore audit verify"';

/**
 * Makes an export from the events between two checkpoints, in the order of the log. The range has all events of the scope, from
 * the first one at or after `from` to the last one before `to`. Some of these events may have a time outside `from` and `to`,
 * because the clocks of processes differ.
 */
export class ExportBuilder {
  private size: number;
  private position: number;
  private count: number;
  private hasBegun: boolean;
  private eventBefore: ExportedEvent | null;
  private readonly proof: ExportProof;
  private undecided: Undecided[] = [];
  private lines: string[] = [];

  /**
   * `position` is the position of the last event that `base` covers, or 0 without `base`. If `state` is given, the builder
   * continues the interrupted export with this progress.
   */
  constructor(
    private readonly plan: ExportPlan,
    position: number,
    state?: ExportState,
  ) {
    const { scope, base } = plan;
    this.size = state?.size ?? base?.signed.checkpoint.size ?? 0;
    this.position = state?.position ?? position;
    this.count = state?.count ?? 0;
    this.hasBegun = state?.hasBegun ?? scope.from === null;
    this.eventBefore = state?.eventBefore ?? null;
    this.proof = scope.tenant === null ? treeProof(base, state?.proof) : tenantProof(scope.tenant, base, state?.proof);
  }

  /** The position of the last event that was read. */
  get readTo(): number {
    return this.position;
  }

  /** The number of events from the start of the log up to the last one that was read. */
  get sizeRead(): number {
    return this.size;
  }

  /** Whether all events that the checkpoint covers were read. */
  get isComplete(): boolean {
    return this.size >= this.plan.cover.checkpoint.size;
  }

  /** Adds the next events of the log, and returns the lines that they add to events.ndjson. Throws ExportFailed. */
  add(stored: readonly StoredEvent[]): string {
    for (const event of stored) if (!this.isComplete) this.addOne(event);
    const text = this.lines.join('');
    this.lines = [];
    return text;
  }

  /** Returns the progress. Null while events are undecided: the export cannot continue from such a point. */
  state(): ExportState | null {
    if (this.undecided.length > 0) return null;
    const { size, position, count, hasBegun, eventBefore } = this;
    return { size, position, count, hasBegun, eventBefore, proof: this.proof.state() };
  }

  /** Returns the statement of the finished export, without the digest of events.ndjson. Throws ExportFailed. */
  finish(): Omit<ExportManifest, 'digest' | 'keyId' | 'version'> {
    const { scope, base, cover } = this.plan;
    const eventAfter = this.decideLast();
    const proof = this.isComplete ? this.proof.finish(cover) : null;
    if (!proof) throw new ExportFailed(`the log does not match checkpoint ${cover.checkpoint.index}: ${VERIFY}`);
    const { store } = cover.checkpoint;
    return { ...scope, store, count: this.count, base: base?.signed ?? null, cover, eventBefore: this.eventBefore, eventAfter, proof };
  }

  private addOne(stored: StoredEvent): void {
    this.size++;
    this.position = stored.position;
    const { hash, tenant, time } = proofMembers(stored);
    const leaf = leafHash({ number: this.size, stream: stored.stream, revision: stored.revision, hash });
    const event = this.isInScope(stored.stream, tenant) ? readStored(stored, this.size) : null;
    const { from, to } = this.plan.scope;
    if (event && !this.hasBegun && from !== null && time >= from) this.begin();
    if (event && this.hasBegun && (to === null || time < to)) this.include({ leaf, tenant, event });
    else if (this.isNeighbour(event)) this.postpone({ leaf, tenant, event });
    else this.proof.add({ leaf, tenant, isShown: false });
  }

  private isInScope(ofStream: string, ofTenant: string): boolean {
    const { tenant, stream } = this.plan.scope;
    return (tenant === null || tenant === ofTenant) && (stream === null || stream === ofStream);
  }

  /**
   * Returns whether a later event decides if this event is shown. Before the range, only the last event of the scope is shown,
   * so each event of the scope waits for the next one. An export of a stream shows no event before the range. An event at or
   * after `to` is in the range if a later event of the scope is before `to`, so it waits. All events after it wait too, because
   * the proof needs all leaves in order.
   */
  private isNeighbour(event: ExportedEvent | null): boolean {
    if (this.undecided.length > 0 && this.hasBegun) return true;
    return event !== null && (this.hasBegun || this.plan.scope.stream === null);
  }

  /** Postpones the decision about an event. Before the range, only the latest event is undecided: earlier ones are hidden. */
  private postpone(event: Undecided): void {
    if (!this.hasBegun) this.decide(false);
    this.undecided.push(event);
  }

  /** Begins the range. Shows the last event of the scope before the range. */
  private begin(): void {
    this.hasBegun = true;
    this.eventBefore = this.undecided[0]?.event ?? null;
    this.decide(true);
  }

  /** Includes an event in the range, and also the undecided events of the scope before this event. */
  private include(event: Undecided): void {
    this.undecided.push(event);
    for (const { event: one } of this.undecided)
      if (one) {
        this.lines.push(`${canonicalJson(one)}\n`);
        this.count++;
      }
    this.decide(true);
  }

  /** Adds all undecided events to the proof: shown if `isShown` and in the scope, otherwise hidden. */
  private decide(isShown: boolean): void {
    for (const { leaf, tenant, event } of this.undecided) this.proof.add({ leaf, tenant, isShown: isShown && event !== null });
    this.undecided = [];
  }

  /** Decides about the undecided events at the end. Returns the event after the range, or null if the export shows none. */
  private decideLast(): ExportedEvent | null {
    const [first] = this.undecided;
    if (!first || this.plan.scope.stream !== null) {
      this.decide(false);
      return null;
    }
    // If the range is empty, the undecided event is the last event before the range.
    if (!this.hasBegun) this.eventBefore = first.event;
    this.proof.add({ ...first, isShown: true });
    this.undecided.shift();
    this.decide(false);
    return this.hasBegun ? first.event : null;
  }
}

/**
 * Adds the events of the log to a builder, page by page, until it is complete. Yields the lines of each page, which may be none.
 * Rejects with ExportFailed if an event was altered.
 */
export async function* addPages(
  builder: ExportBuilder,
  { store }: { readonly store: Pick<EventStore, 'readAll'> },
  page: number,
): AsyncGenerator<string> {
  while (!builder.isComplete) {
    const stored = await store.readAll(builder.readTo, page);
    if (stored.length === 0) return;
    yield builder.add(stored);
  }
}

const readStored = (stored: StoredEvent, number: number): ExportedEvent => {
  const event = exportedEvent(stored, number);
  if (!event) throw new ExportFailed(`event ${stored.revision} of ${stored.stream} does not match its hash: ${VERIFY}`);
  return event;
};
