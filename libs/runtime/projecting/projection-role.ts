import type { Clock } from '../../eventsourcing/ports/clock.port.js';
import { checkpointOf, type Documents } from '../../eventsourcing/ports/documents.port.js';
import type { EventStore } from '../../eventsourcing/ports/event-store.port.js';
import type { ReadCodec } from '../../eventsourcing/handle.js';
import { LeaseLost, type Leases } from '../../eventsourcing/ports/leases.port.js';
import type { ParkedStream, Projector } from '../../eventsourcing/projection.js';
import { paced } from '../following/pace.js';
import { PARKED_STREAMS } from './parked-streams.js';
import { Projecting } from './projection-worker.js';
import { ReadAhead } from '../following/read-ahead.js';
import { repeat } from '../following/repeat.js';
import type { StreamFaults } from './stream-faults.js';
import { whileLeased, type Holding } from '../leases/run-while-leader.js';

/** Events folded in memory and written in one step, at most. */
const BATCH = 2_000;
/** What moved it past events of others only is stored after this time. */
const STORE_AFTER = 500;
/** What waits for a fault to be mended is tried again at the start, and then this often. */
const RETRY_EVERY = 60_000;

export type ProjectionRoleParts = {
  readonly store: Pick<EventStore, 'subscribe' | 'readStream'>;
  readonly documents: Documents;
  readonly codec: ReadCodec;
  readonly faults: Pick<StreamFaults, 'of' | 'all' | 'clear'>;
  readonly projectors: readonly Projector[];
  readonly leases: Leases;
  /** Names this process among those who may project. */
  readonly holder: string;
  /** The position of the log's last event. */
  readonly head: () => Promise<number>;
  /** A read model has come as far as the log had when its owner began: it can be shown. */
  readonly onCaughtUp: (projector: Projector) => Promise<void>;
  readonly onParked: (projection: string, parked: ParkedStream) => void;
  /** Told of the first failure of each outage; the role goes on trying. */
  readonly onError: (error: unknown) => void;
  readonly clock: Clock;
  /** Milliseconds from the start of one batch to the start of the next, at the least. */
  readonly every: number;
};

export type ProjectionRole = {
  /** How far each read model has come that this process owns, by checkpoint name. */
  positions(): Readonly<Record<string, number>>;
  /** Finishes the batches in hand and lets go of the leases. */
  stop(): Promise<void>;
};

/** Fills the read models from the log. Each has one owner at a time, by lease; another process takes over when it is gone. */
export const startProjections = (parts: ProjectionRoleParts): ProjectionRole => {
  const owned = new Map<string, Projecting>();
  const stops = parts.projectors.map((projector) => own(projector, parts, owned));
  return {
    positions: () => Object.fromEntries([...owned].map(([name, projecting]) => [name, projecting.position()])),
    async stop() {
      await Promise.all(stops.map((stop) => stop()));
    },
  };
};

const own = (projector: Projector, parts: ProjectionRoleParts, owned: Map<string, Projecting>): (() => Promise<void>) => {
  const name = checkpointOf(projector.collection);
  const projectingNow = async (holding: Holding): Promise<void> => {
    for (const collection of [PARKED_STREAMS, projector.collection]) await parts.documents.prepare(collection);
    const projecting = await Projecting.begin({ ...parts, projector, lease: holding.held.lease });
    owned.set(name, projecting);
    try {
      await projectWhile({ ...holding, projecting, projector, parts });
    } finally {
      owned.delete(name);
    }
  };
  return whileLeased({ ...parts, name: `projection:${name}` }, projectingNow);
};

type Owning = Holding & { readonly projecting: Projecting; readonly projector: Projector; readonly parts: ProjectionRoleParts };

/** Resolves when the lease is lost or the role is stopped. */
const projectWhile = async (owning: Owning): Promise<void> => {
  const { held, projecting, parts, outages, stopping } = owning;
  const { store, clock, head } = parts;
  const ended = new AbortController();
  const signal = AbortSignal.any([stopping, held.lost, ended.signal]);
  const alone = oneAtATime();
  const show = showingFrom(await head(), owning);
  const failures: unknown[] = [];
  const fail = (error: unknown): void => {
    failures.push(error);
    ended.abort();
  };
  /** Work of its own between two batches; what it fails by ends the ownership. */
  const aside = (every: number, work: () => Promise<unknown>, first = every) =>
    repeat({ clock, first, afterFailure: every, onError: fail, work: () => alone(work).then(() => every) });
  const stopStoring = aside(STORE_AFTER, async () => {
    await projecting.store();
    await projecting.withdrawBroken();
    if (!ended.signal.aborted && (await show())) outages.over();
  });
  const stopRetrying = aside(RETRY_EVERY, () => projecting.retryParked(), 0);
  try {
    const ahead = new ReadAhead(store.subscribe(projecting.position(), signal), BATCH, signal, paced(clock, parts.every));
    for (;;) {
      await alone(show);
      const events = await ahead.take();
      if (!events) break;
      if (!held.isHeld()) throw new LeaseLost(`the lease of ${projecting.name} may be another's by now`);
      await alone(() => projecting.take(events));
    }
    if (failures.length > 0) throw failures[0];
    await alone(() => projecting.store());
  } finally {
    ended.abort();
    await Promise.all([stopStoring(), stopRetrying()]);
  }
};

/**
 * Has the read model shown once it has come as far as the log had. Where it cannot be said that it may be, that is no reason not to
 * go on: it is said again. Answers whether there is nothing left to say.
 */
const showingFrom = (head: number, { projecting, projector, parts, outages }: Owning): (() => Promise<boolean>) => {
  let shown = false;
  return async () => {
    if (shown || projecting.position() < head) return true;
    await projecting.store();
    try {
      await parts.onCaughtUp(projector);
      shown = true;
    } catch (error) {
      outages.failed(error);
    }
    return shown;
  };
};

/** Lets one piece of work run after the other. */
const oneAtATime = (): (<T>(work: () => Promise<T>) => Promise<T>) => {
  let last: Promise<unknown> = Promise.resolve();
  return (work) => {
    const next = last.then(work, work);
    last = next.catch(() => undefined);
    return next;
  };
};
