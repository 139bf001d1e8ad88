import type { CheckpointEvent, CheckpointState, SignedCheckpoint } from '../../domain/checkpoints/checkpoint.events.js';
import type { Clock } from '../../eventsourcing/ports/clock.port.js';
import type { Ids } from '../../eventsourcing/ports/ids.port.js';
import { SHARED_POOL } from '../../eventsourcing/message.js';
import { yieldToEventLoop } from '../../eventsourcing/scheduling/yield-to-event-loop.js';
import { LogDigest, proofMembers } from '../proof/log-digest.js';
import { checkpointDigest } from '../proof/signatures.js';
import { signCheckpoint, type ProofKey } from '../proof/signing.js';
import { appendCheckpoint, readLastCheckpoint, type CheckpointedLog, type LastCheckpoint } from './checkpoint-log.js';

/** The actor in the metadata of the events that contain checkpoints. */
const SERVICE = 'service';
/** An embedded store reads and hashes a page in about a millisecond, on the thread that also answers requests. */
const PAGE = 250;
/** Maximum number of attempts to append a checkpoint. An attempt fails only if another process has just appended a checkpoint. */
const ATTEMPTS = 5;

export type CheckpointDependencies = CheckpointedLog & {
  readonly clock: Clock;
  readonly ids: Ids;
  readonly storeId: string;
  /** Returns the key that currently signs. */
  readonly signingKey: () => Promise<ProofKey>;
};

type Progress = {
  readonly digest: LogDigest;
  /** The last event that was read. */
  last: CheckpointState['last'];
  /**
   * The number of events that no checkpoint covers. `CheckpointSigned` events at the end of the log are not counted:
   * otherwise, the event of each checkpoint would cause the next checkpoint.
   */
  uncoveredCount: number;
};

/**
 * Makes checkpoints, which are signed digests of the log (contract 35.1). Keeps the digest of the events that it has read, so it
 * reads each event only once. In a new process, the digest continues from the last checkpoint.
 */
export class CheckpointMaker {
  private lastCheckpoint: LastCheckpoint | null = null;
  private progress: Progress | undefined;
  private previousCall: Promise<unknown> = Promise.resolve();

  constructor(private readonly dependencies: CheckpointDependencies) {}

  /**
   * Reads the events that were appended since the last call. If `signal` aborts, reads only some of them. Returns the
   * number of read events that no checkpoint covers yet.
   */
  readNewEvents(signal?: AbortSignal): Promise<number> {
    return this.inTurn(() => this.read(signal));
  }

  /**
   * Makes a checkpoint of all events. Returns null if no events except `CheckpointSigned` follow the last checkpoint, or if
   * `signal` aborts.
   */
  make(signal?: AbortSignal): Promise<SignedCheckpoint | null> {
    return this.inTurn(() => this.tryToMake(signal));
  }

  /**
   * Makes a checkpoint of all events, even if only the event of the last checkpoint follows it. Returns null if the log has no
   * events.
   */
  makeNext(): Promise<SignedCheckpoint | null> {
    return this.inTurn(() => this.tryToMake(undefined, true));
  }

  /** Runs one call at a time, because calls share the digest. */
  private inTurn<T>(work: () => Promise<T>): Promise<T> {
    const result = this.previousCall.then(work);
    this.previousCall = result.catch(() => undefined);
    return result;
  }

  private async read(signal?: AbortSignal): Promise<number> {
    const progress = (this.progress ??= await this.resume());
    const covered = this.lastCheckpoint?.signed.checkpoint.size ?? 0;
    for (;;) {
      const events = await this.dependencies.store.readAll(progress.last.position, PAGE);
      for (const event of events) {
        const { hash, tenant } = proofMembers(event);
        progress.digest.add({ ...event, hash, tenant });
        progress.last = { position: event.position, id: event.id };
        if (event.type !== 'CheckpointSigned' && progress.digest.size > covered) progress.uncoveredCount = progress.digest.size - covered;
      }
      if (events.length < PAGE || signal?.aborted) return progress.uncoveredCount;
      await yieldToEventLoop();
    }
  }

  private async tryToMake(signal?: AbortSignal, isAlways = false): Promise<SignedCheckpoint | null> {
    for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
      const uncoveredCount = await this.read(signal);
      const progress = this.progress as Progress;
      const isNeeded = uncoveredCount > 0 || (isAlways && progress.digest.size > 0);
      if (!isNeeded || signal?.aborted) return null;
      const made = await this.append(progress);
      if (made) return made;
      // Another process has appended a checkpoint. The next attempt continues from that checkpoint.
      this.progress = undefined;
    }
    throw new Error('another process makes checkpoints at the same time');
  }

  private async append(progress: Progress): Promise<SignedCheckpoint | null> {
    const { clock, ids, storeId, signingKey } = this.dependencies;
    const { lastCheckpoint } = this;
    const { digest, last } = progress;
    const signed = signCheckpoint(await signingKey(), {
      store: storeId,
      index: (lastCheckpoint?.signed.checkpoint.index ?? -1) + 1,
      size: digest.size,
      root: digest.root(),
      time: laterOf(clock.now().toISOString(), lastCheckpoint?.signed.checkpoint.time),
      previous: lastCheckpoint ? checkpointDigest(lastCheckpoint.signed.checkpoint) : '',
      tenants: digest.tenantDigests(),
    });
    const data: CheckpointEvent['data'] = { ...signed, state: { last, subtrees: digest.subtrees(), tenants: digest.tenants() } };
    const id = ids.next();
    const context = { tenant: SHARED_POOL, actor: SERVICE, correlationId: id, causationId: id };
    const added = await appendCheckpoint(this.dependencies, lastCheckpoint, data, context);
    if (!added) return null;
    this.lastCheckpoint = added;
    progress.uncoveredCount = 0;
    return signed;
  }

  /**
   * Continues after the last event that the last checkpoint covers. If that event is not at its recorded position, this log
   * is a copy, and reading begins at the start of the log.
   */
  private async resume(): Promise<Progress> {
    this.lastCheckpoint = await readLastCheckpoint(this.dependencies);
    if (this.lastCheckpoint) {
      const { signed, state } = this.lastCheckpoint;
      // `readAll` returns the events after a position, so this reads the event at `state.last.position`.
      const [last] = await this.dependencies.store.readAll(state.last.position - 1, 1);
      if (last?.id === state.last.id)
        return { digest: LogDigest.resume(signed.checkpoint.size, state), last: state.last, uncoveredCount: 0 };
    }
    return { digest: LogDigest.empty(), last: { position: 0, id: '' }, uncoveredCount: 0 };
  }
}

/** Returns the later of two times. No checkpoint may be older than the previous one, but the clocks of processes differ. */
const laterOf = (now: string, before = ''): string => (now > before ? now : before);
