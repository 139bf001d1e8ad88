import {
  CHECKPOINT_STREAM,
  type Checkpoint,
  type CheckpointState,
  type SignedCheckpoint,
} from '../../domain/checkpoints/checkpoint.events.js';
import type { EventStore, StoredEvent } from '../../eventsourcing/ports/event-store.port.js';
import { LogDigest, proofMembers } from '../proof/log-digest.js';
import { doesMatch, CheckpointComparison } from './checkpoint-comparison.js';
import type { AuditFault } from './audit-fault.js';
import type { HistoryFault } from '../../eventsourcing/history.js';
import { chainOnlyCodec, findGaps } from '../../runtime/codec/history-check.js';
import { HistoryReader } from '../../runtime/codec/history-reader.js';
import type { VerifiedLog } from '../../runtime/codec/verified-history.js';
import { readCheckpoints } from '../checkpoints/checkpoint-log.js';
import type { PublicKeys } from '../proof/signatures.js';
import { CheckpointChain } from './genuine-checkpoints.js';

/** A genuine checkpoint in the log, the position of its event, and its state, which no signature covers. */
export type GenuineCheckpoint = { readonly checkpoint: Checkpoint; readonly position: number; readonly state: CheckpointState };

/** Where an audit begins. */
export type StartingPoint = {
  /** The digest of the events before this point. */
  readonly digest: LogDigest;
  /** The position of the last event before this point, or 0. */
  readonly position: number;
  /** The time of the last event before this point. Null before the first checkpoint, where the order of times is not checked. */
  readonly time: string | null;
};

/** The parts of an audit that determine where it begins. */
type AuditedPart = {
  readonly store: Pick<EventStore, 'readAll'>;
  readonly positions: 'without gaps' | 'with gaps';
  readonly from?: number;
};

/** Returns the start of the log. */
const firstEvent = (): StartingPoint => ({ digest: LogDigest.empty(), position: 0, time: null });

/**
 * Returns the point after the last usable checkpoint that covers at most `from` events. A checkpoint is usable if its
 * state matches its signed root and its signed digests of tenants. The log must also have the last covered event at the position
 * that the state names: a copy of the log has other positions. Without a usable checkpoint, returns the start of the log.
 */
export const startAfter = async (
  { store, positions, from = 0 }: AuditedPart,
  checkpoints: readonly GenuineCheckpoint[],
): Promise<StartingPoint> => {
  for (const { checkpoint, position, state } of checkpoints.toReversed()) {
    if (checkpoint.size > from) continue;
    const digest = resume(checkpoint, state);
    const { last } = state;
    // No signature covers the state. A forged position could make the audit skip events after the checkpoint.
    const isPlausible = last.position < position && (positions === 'with gaps' || last.position === checkpoint.size);
    if (!digest || !isPlausible) continue;
    const [event] = await store.readAll(last.position - 1, 1);
    if (event?.id === last.id) return { digest, position: last.position, time: checkpoint.index === 0 ? null : proofMembers(event).time };
  }
  return firstEvent();
};

const resume = (checkpoint: Checkpoint, state: CheckpointState): LogDigest | null => {
  try {
    const digest = LogDigest.resume(checkpoint.size, state);
    return doesMatch(checkpoint, digest) ? digest : null;
  } catch {
    return null;
  }
};

type Names = readonly string[];

/** The events that give an account its names. */
const NAMING = new Set(['UserRegistered', 'UserRevised']);

/** Collects the names of accounts from the log, and finds names that two accounts have (contract 30.2). */
export class AccountNames {
  private readonly byAccount = new Map<string, Names>();

  /** Reads an event. Ignores events that do not change the names of accounts. */
  add({ type, stream, data }: StoredEvent): void {
    if (type === 'UserErased') this.byAccount.delete(stream);
    else if (NAMING.has(type)) this.byAccount.set(stream, namesOf(data));
  }

  /** Yields a fault for each name that two accounts have. Names are compared by their digests. */
  *faults(): Generator<AuditFault> {
    const owners = new Map<string, string>();
    for (const [stream, names] of this.byAccount)
      for (const digest of names) {
        const owner = owners.get(digest);
        if (owner !== undefined) yield { kind: 'claim', stream, reason: `${owner} and ${stream} have the same name` };
        else owners.set(digest, stream);
      }
  }
}

/** Returns the digests of the names in an event's data. Ignores unreadable data, because the check of the chain reports it. */
const namesOf = (data: string): Names => {
  try {
    const { usernameDigest, emailDigest } = JSON.parse(data) as Record<string, unknown>;
    return [usernameDigest, emailDigest].filter((digest) => typeof digest === 'string');
  } catch {
    return [];
  }
};

/** The number of events that are read at a time, by default. */
const PAGE = 1_000;
/** An audit pauses each time it has verified this number of checkpoints, because verifying signatures takes time. */
const CHECKPOINTS_AT_ONCE = 20;
/** Another thread may verify the hash chains. The audit may be ahead of that thread by at most this number of positions. */
const LEAD = 20_000;

export type LogAudit = {
  readonly store: Pick<EventStore, 'readAll' | 'readStream'>;
  readonly codec: VerifiedLog['codec'];
  /** The position of the last event to verify. */
  readonly upTo: number;
  /**
   * The number of events, from the first one on, that need not be verified again. The audit begins after the last
   * checkpoint that covers at most this number of events.
   */
  readonly from?: number;
  /** `without gaps` in the embedded profile: a missing position means a missing event. `with gaps` in the distributed profile. */
  readonly positions: 'without gaps' | 'with gaps';
  /** The public keys that verify checkpoints. They never come from the log that is verified. */
  readonly keys: PublicKeys;
  /** Checkpoints that were collected elsewhere. Their signatures have been verified. */
  readonly collected: readonly SignedCheckpoint[];
  readonly onFault: (fault: AuditFault) => void;
  /** Starts to verify the chains of the events after a position, in another thread. Default: the audit verifies them. */
  readonly startChains?: (after: number, onFault: (fault: HistoryFault) => void) => ChainCheck;
  /** Called after each page with the position of its last event. The audit waits for the returned promise. */
  readonly onProgress?: (position: number) => Promise<void> | void;
  /** Called regularly while the audit reads the checkpoints, before the first page. The audit waits for the returned promise. */
  readonly pause?: () => Promise<void>;
  readonly signal?: AbortSignal;
  /** The number of events that are read at a time. */
  readonly page?: number;
};

/** A verification of the chains of a log that runs at the same time as the audit. */
export type ChainCheck = {
  /** Resolves when the chains are verified up to this position. Rejects if the verification cannot go on. */
  reached(position: number): Promise<void>;
  stop(): Promise<void>;
};

/** What an audit has read. */
export type AuditSummary = {
  /** The number of events before the first one that was read. */
  readonly from: number;
  /** The number of events that were read. */
  readonly events: number;
  /** The number of events after the last checkpoint that matches. `CheckpointSigned` events are not counted. */
  readonly unsigned: number;
  /** The number of events that the last matching checkpoint in the log covers. A later audit may begin after them. */
  readonly matched: number;
};

/**
 * Verifies the chain of each stream in a log, the order of times, and that no two accounts have the same name. Compares the log
 * with the checkpoints in it, and with those that were collected elsewhere (contract 35.4).
 */
export const verifyLog = async (audit: LogAudit): Promise<AuditSummary> => {
  const { page = PAGE } = audit;
  const genuine = await readGenuine(audit);
  const start = await startAfter(audit, genuine);
  const pass = new LogPass(audit, genuine, start);
  const chains = audit.startChains?.(start.position, (fault) => audit.onFault(alteredOf(fault)));
  let { position } = start;
  try {
    while (position < audit.upTo && !audit.signal?.aborted) {
      const stored = (await audit.store.readAll(position, page)).filter((event) => event.position <= audit.upTo);
      const last = stored.at(-1);
      if (!last) break;
      await pass.read(stored, position);
      ({ position } = last);
      await chains?.reached(position - LEAD);
      await audit.onProgress?.(position);
    }
    // Even an interrupted audit waits for the chains, because a later audit may begin where this audit ends.
    await chains?.reached(position);
  } finally {
    await chains?.stop();
  }
  return pass.end(audit.signal?.aborted ?? false);
};

/** Reads the checkpoints in the log, reports forged ones, and returns the others. */
const readGenuine = async ({ store, codec, keys, upTo, onFault, pause, signal, page }: LogAudit): Promise<readonly GenuineCheckpoint[]> => {
  const chain = new CheckpointChain(keys);
  const genuine: GenuineCheckpoint[] = [];
  for await (const { revision, position, signed, state } of readCheckpoints({ store, codec }, page)) {
    // This checkpoint was made after the audit began. It may cover events that the audit does not read.
    if (position > upTo) break;
    const fault = signed && chain.add(revision, signed);
    if (signed && !fault) genuine.push({ checkpoint: signed.checkpoint, position, state });
    else onFault(fault ?? unreadable(revision));
    if (revision % CHECKPOINTS_AT_ONCE === 0) await pause?.();
    if (signal?.aborted) break;
  }
  return genuine;
};

const unreadable = (revision: number): AuditFault => ({
  kind: 'checkpoint',
  stream: CHECKPOINT_STREAM,
  revision,
  reason: `checkpoint ${revision} cannot be read`,
});

/** One pass over a log, in the order of its events. */
class LogPass {
  private readonly digest: LogDigest;
  private readonly from: number;
  private readonly names = new AccountNames();
  private readonly reader: HistoryReader;
  private readonly comparisons: readonly CheckpointComparison[];
  private readonly broken = new Set<string>();
  /**
   * The time of the last event. Null before the first checkpoint, because early versions, which made no checkpoints, did
   * not keep the times in order.
   */
  private lastTime: string | null;
  /** The number of events since the last matching checkpoint, without `CheckpointSigned` events. */
  private unsigned = 0;

  constructor(
    private readonly audit: LogAudit,
    recorded: readonly GenuineCheckpoint[],
    { digest, time }: StartingPoint,
  ) {
    this.digest = digest;
    this.from = digest.size;
    this.lastTime = time;
    this.reader = new HistoryReader({ store: audit.store, codec: chainOnlyCodec(audit.codec) });
    this.comparisons = [
      new CheckpointComparison(
        recorded.map(({ checkpoint }) => checkpoint),
        'in the log',
        this.from,
      ),
      new CheckpointComparison(
        audit.collected.map(({ checkpoint }) => checkpoint),
        'that was collected elsewhere',
        this.from,
      ),
    ];
    // This pass does not read the events before its start. A collected checkpoint may cover exactly these events.
    if (this.from > 0) this.compare();
  }

  /** Reads the next page. `after` is the position of the last event before the page. */
  async read(stored: readonly StoredEvent[], after: number): Promise<void> {
    const { onFault, positions, startChains } = this.audit;
    if (positions === 'without gaps') for (const gap of findGaps(stored, after)) onFault(missingOf(gap));
    if (!startChains) await this.readChains(stored);
    for (const event of stored) this.add(event);
  }

  private async readChains(stored: readonly StoredEvent[]): Promise<void> {
    const { faults } = await this.reader.read(stored, (stream) => this.broken.has(stream));
    for (const fault of faults) {
      this.broken.add(fault.stream);
      this.audit.onFault(alteredOf(fault));
    }
  }

  private add(event: StoredEvent): void {
    const { hash, tenant, time } = proofMembers(event);
    this.digest.add({ ...event, hash, tenant });
    this.names.add(event);
    if (event.type !== 'CheckpointSigned') this.unsigned++;
    this.compare();
    if (this.comparisons[0]?.matchedSize === this.digest.size) this.unsigned = 0;
    this.report(this.checkTime(event, time));
  }

  private compare(): void {
    for (const comparison of this.comparisons) this.report(comparison.compare(this.digest));
  }

  /**
   * Returns a fault if an event is older than the previous one. In the distributed profile, whose positions have gaps, checks
   * nothing, because the clocks of its processes differ.
   */
  private checkTime({ stream, revision, type }: StoredEvent, time: string): AuditFault | null {
    if (this.audit.positions === 'with gaps') return null;
    const before = this.lastTime;
    if (before === null || time >= before) {
      if (before !== null || type === 'CheckpointSigned') this.lastTime = time;
      return null;
    }
    return { kind: 'time', stream, revision, reason: `event ${revision} of ${stream} has the time ${time}, after an event of ${before}` };
  }

  /** Ends the pass. After an interruption, reports no faults about the end of the log or the names of accounts. */
  end(isInterrupted: boolean): AuditSummary {
    if (!isInterrupted) {
      for (const comparison of this.comparisons) this.report(comparison.compareEnd(this.digest.size));
      for (const fault of this.names.faults()) this.report(fault);
    }
    const matched = this.comparisons[0]?.matchedSize ?? 0;
    return { from: this.from, events: this.digest.size - this.from, unsigned: this.unsigned, matched };
  }

  private report(fault: AuditFault | null): void {
    if (fault) this.audit.onFault(fault);
  }
}

const alteredOf = ({ stream, revision, reason }: HistoryFault): AuditFault => ({ kind: 'altered', stream, revision, reason });

const missingOf = ({ reason, stream }: HistoryFault): AuditFault => ({ kind: 'missing', stream, reason });
