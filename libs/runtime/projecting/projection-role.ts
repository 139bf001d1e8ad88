import type { Clock } from '../../eventsourcing/ports/clock.port.js';
import { checkpointOf, type Documents } from '../../eventsourcing/ports/documents.port.js';
import type { EventStore } from '../../eventsourcing/ports/event-store.port.js';
import type { ReadCodec } from '../../eventsourcing/event-codec.js';
import { LeaseLost, type Leases } from '../../eventsourcing/ports/leases.port.js';
import type { ParkedStream, Projector } from '../../eventsourcing/projection.js';
import { createThrottle } from '../following/throttle.js';
import { PARKED_STREAMS } from './parked-streams.js';
import { LeasedTarget, type LeasedTargetOptions } from './leased-target.js';
import { clearFailure, storeFailure } from './projection-failures.js';
import { ProjectionEngine, type ProjectionEngineDependencies } from './projection-engine.js';
import { SIDES, type Fills } from '../../eventsourcing/ports/fills.port.js';
import { intoVersion } from '../../eventsourcing/projecting.js';
import { besideOf } from '../../eventsourcing/read-model-versions.js';
import { createSerialQueue } from '../../eventsourcing/scheduling/serial-queue.js';
import { KeyedQueue } from '../following/keyed-queue.js';
import { ReadAhead } from '../following/read-ahead.js';
import { repeat } from '../following/repeat.js';
import { readWantedFills, wantedFills, type OperatorDecisions } from '../operating/operator-state.js';
import { meetRefolds, meetRetryRequests } from '../operating/retry-requests.js';
import type { StreamFaults } from './stream-faults.js';
import { runWhileLeader, type LeaseContext } from '../leases/run-while-leader.js';

/** Maximum number of events folded in memory and written in one transaction. */
const BATCH = 2_000;
/** Milliseconds between two writes of the position while only events of other categories arrive. */
const STORE_AFTER = 500;
/** Milliseconds between two retries of parked streams. The first retry is at the start. */
const RETRY_EVERY = 60_000;

export type ProjectionRoleDependencies = {
  readonly store: Pick<EventStore, 'subscribe' | 'readStream'>;
  readonly documents: Documents;
  readonly codec: ReadCodec;
  readonly faults: Pick<StreamFaults, 'of' | 'all' | 'clear'>;
  readonly projectors: readonly Projector[];
  /** What operators have decided: a paused read model is not changed. */
  readonly decisions: Pick<OperatorDecisions, 'current' | 'isPaused' | 'onChange'>;
  /** The fills beside the read models. */
  readonly fills: Pick<Fills, 'follow' | 'progress'>;
  readonly leases: Leases;
  /** The name under which this process acquires leases. */
  readonly owner: string;
  /** Returns the position of the log's last event. */
  readonly head: () => Promise<number>;
  /**
   * Called when a read model has caught up: it contains all events that the log had when this process became the owner. From
   * then on, the read model can serve reads.
   */
  readonly onCaughtUp: (projector: Projector) => Promise<void>;
  readonly onParked: (projection: string, parked: ParkedStream) => void;
  /** Called for the first failure of each outage. The role continues to retry. */
  readonly onError: (error: unknown) => void;
  readonly clock: Clock;
  /** Minimum milliseconds between the starts of two batches. A full batch does not wait. */
  readonly interval: number;
};

export type ProjectionRole = {
  /** Returns the position of each read model that this process owns, by checkpoint name. */
  positions(): Readonly<Record<string, number>>;
  /** Finishes the current batches and releases the leases. */
  stop(): Promise<void>;
};

/**
 * Projects the log into the read models. Each read model has a lease, and only the owner of the lease writes the read model. If
 * the owner crashes, another process takes over.
 */
export const startProjections = (dependencies: ProjectionRoleDependencies): ProjectionRole => {
  const owned = new Map<string, ProjectionEngine>();
  const prepared = async ({ collection }: Projector): Promise<boolean> => {
    await dependencies.documents.prepare(collection);
    return true;
  };
  const stops = dependencies.projectors.map((projector) => runAsOwner(projector, dependencies, owned, prepared));
  stops.push(runFills(dependencies, owned));
  return {
    positions: () => Object.fromEntries([...owned].map(([name, engine]) => [name, engine.position()])),
    async stop() {
      await Promise.all(stops.map((stop) => stop()));
    },
  };
};

/** Milliseconds between two looks at the fills, in case a process that has created or dropped one was killed. */
const FOLLOW_EVERY = 10_000;

/** Projects the fills that operators want, beside the read models. Returns a function that ends that. */
const runFills = (dependencies: ProjectionRoleDependencies, owned: Map<string, ProjectionEngine>): (() => Promise<void>) => {
  const { decisions, fills, projectors, clock, onError } = dependencies;
  const running = new Map<string, () => Promise<void>>();
  const inTurn = createSerialQueue();
  const end = async (name: string): Promise<void> => {
    await running.get(name)?.();
    running.delete(name);
  };
  const followNow = async (): Promise<void> => {
    const wanted = wantedFills(decisions.current(), projectors);
    const sides = projectors.flatMap((projector) =>
      SIDES.map((beside) => ({ projector, beside, into: besideOf(projector.collection, beside) })),
    );
    const isWanted = ({ projector, beside }: (typeof sides)[number]): boolean => wanted[beside].has(projector.name);
    for (const side of sides) if (!isWanted(side)) await end(checkpointOf(side.into));
    await fills.follow(() => readWantedFills(dependencies.documents, projectors));
    for (const { projector, beside, into } of sides.filter(isWanted))
      if (!running.has(checkpointOf(into))) {
        // Another process may have exchanged or dropped it.
        const isThere = async (): Promise<boolean> => (await fills.progress(projector.name, beside)) !== null;
        running.set(checkpointOf(into), runAsOwner(intoVersion(projector, into), dependencies, owned, isThere));
      }
  };
  const follow = (): Promise<void> => inTurn(followNow);
  const endWatching = decisions.onChange(follow);
  const stopFollowing = repeat({
    clock,
    firstDelay: 0,
    work: () => follow().then(() => FOLLOW_EVERY),
    failureDelay: FOLLOW_EVERY,
    onError,
  });
  return async () => {
    endWatching();
    await stopFollowing();
    await inTurn(async () => {
      for (const name of [...running.keys()]) await end(name);
    });
  };
};

/** Projects a read model while this process owns its lease, and `isThere` resolves with true. */
const runAsOwner = (
  projector: Projector,
  dependencies: ProjectionRoleDependencies,
  owned: Map<string, ProjectionEngine>,
  isThere: (projector: Projector) => Promise<boolean>,
): (() => Promise<void>) => {
  const name = checkpointOf(projector.collection);
  const projectAsOwner = async (context: LeaseContext): Promise<void> => {
    await dependencies.documents.prepare(PARKED_STREAMS);
    if (!(await isThere(projector))) return;
    if (!(await waitUntilResumed(projector, dependencies.decisions, AbortSignal.any([context.stopping, context.activeLease.lost])))) return;
    const engine = await openLeasedEngine({ ...dependencies, projector, lease: context.activeLease.lease });
    owned.set(name, engine);
    try {
      await projectUntilAborted({ ...context, engine, projector, dependencies });
    } finally {
      owned.delete(name);
    }
  };
  const onError = (error: unknown): void => {
    dependencies.onError(error);
    void storeFailure(dependencies.documents, name, error, dependencies.clock.now());
  };
  return runWhileLeader({ ...dependencies, onError, name: `projection:${name}` }, projectAsOwner);
};

/** Waits while a read model is paused. This process keeps its lease meanwhile. Returns false if `signal` aborts before. */
const waitUntilResumed = async (
  { name }: Projector,
  decisions: ProjectionRoleDependencies['decisions'],
  signal: AbortSignal,
): Promise<boolean> => {
  if (signal.aborted || !decisions.isPaused(name)) return !signal.aborted;
  await new Promise<void>((resolve) => {
    const look = (): void => {
      if (!signal.aborted && decisions.isPaused(name)) return;
      endWatching();
      signal.removeEventListener('abort', look);
      resolve();
    };
    const endWatching = decisions.onChange(look);
    signal.addEventListener('abort', look);
    look();
  });
  return !signal.aborted;
};

export type LeasedEngineOptions = Omit<LeasedTargetOptions, 'collection'> &
  Pick<ProjectionEngineDependencies, 'store' | 'codec' | 'faults'> & { readonly projector: Projector };

/** Opens an engine that writes one read model under a lease. */
export const openLeasedEngine = async ({ projector, ...options }: LeasedEngineOptions): Promise<ProjectionEngine> => {
  const target = await LeasedTarget.open({ ...options, collection: projector.collection });
  return ProjectionEngine.open({ ...options, target, projectors: [projector] });
};

type OwnerContext = LeaseContext & {
  readonly engine: ProjectionEngine;
  readonly projector: Projector;
  readonly dependencies: ProjectionRoleDependencies;
};

/** Projects batches of events. Resolves when the lease is lost, the role is stopped, or an operator pauses the read model. */
const projectUntilAborted = async (owner: OwnerContext): Promise<void> => {
  const { activeLease, engine, projector, dependencies, outages, stopping } = owner;
  const { store, clock, head } = dependencies;
  const ended = new AbortController();
  const signal = AbortSignal.any([stopping, activeLease.lost, ended.signal]);
  const queue = new KeyedQueue();
  /** Runs one piece of work at a time. If it fails, what waits behind it fails, too: the engine may not know what is stored. */
  const exclusively = <T>(work: () => Promise<T>): Promise<T> => queue.run('engine', work);
  let mayHaveFailed = true;
  const reportCaughtUp = createCaughtUpReport(await head(), owner);
  const { decisions } = dependencies;
  const endIfPaused = (): void => void (decisions.isPaused(projector.name) && ended.abort());
  const endWatching = decisions.onChange(endIfPaused);
  endIfPaused();
  const failures: unknown[] = [];
  const fail = (error: unknown): void => {
    failures.push(error);
    ended.abort();
  };
  /** Repeats work, but never while a batch is written. If the work fails, this process releases the lease and starts again. */
  const repeatBetweenBatches = (every: number, work: () => Promise<unknown>, first = every) =>
    repeat({ clock, firstDelay: first, failureDelay: every, onError: fail, work: () => exclusively(work).then(() => every) });
  const stopStoring = repeatBetweenBatches(STORE_AFTER, async () => {
    await engine.store();
    await engine.removeBrokenDocuments();
    if (ended.signal.aborted || !(await reportCaughtUp())) return;
    outages.reportRecovery();
    if (mayHaveFailed) await clearFailure(dependencies.documents, checkpointOf(projector.collection));
    mayHaveFailed = false;
  });
  const retry = async (): Promise<void> => {
    const version = checkpointOf(projector.collection);
    const refold = (stream: string): Promise<void> => engine.refold(stream);
    if (await meetRefolds({ ...dependencies, projection: projector.name, version, refold })) await engine.retryParked();
  };
  const stopRetrying = repeatBetweenBatches(RETRY_EVERY, retry, 0);
  const isOwn = dependencies.projectors.some(({ collection }) => collection.name === projector.collection.name);
  const stopMeeting = meetRetryRequests({
    ...dependencies,
    // The fills of a read model have its name. They are retried each minute.
    names: isOwn ? [projector.name] : [],
    retry: () => exclusively(retry),
    onError: fail,
  });
  try {
    const ahead = new ReadAhead(store.subscribe(engine.position(), signal), BATCH, signal, createThrottle(clock, dependencies.interval));
    for (;;) {
      await exclusively(reportCaughtUp);
      const events = await ahead.takeBatch();
      if (!events || ended.signal.aborted) break;
      if (!activeLease.isValid())
        throw new LeaseLost(`the lease of ${checkpointOf(projector.collection)} expired before the batch was written`);
      await exclusively(() => engine.apply(events));
    }
    if (failures.length > 0) throw failures[0];
    await exclusively(() => engine.store());
  } finally {
    endWatching();
    ended.abort();
    await Promise.all([stopStoring(), stopRetrying(), stopMeeting()]);
  }
};

/**
 * Returns a function that calls `onCaughtUp` once, when the read model has reached the position `head`. The function returns
 * false only if `onCaughtUp` failed. The projection then continues, and a later call retries.
 */
const createCaughtUpReport = (head: number, { engine, projector, dependencies, outages }: OwnerContext): (() => Promise<boolean>) => {
  let hasReported = false;
  return async () => {
    if (hasReported || engine.position() < head) return true;
    await engine.store();
    try {
      await dependencies.onCaughtUp(projector);
      hasReported = true;
    } catch (error) {
      outages.reportFailure(error);
    }
    return hasReported;
  };
};
