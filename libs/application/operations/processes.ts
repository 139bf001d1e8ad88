import type { Clock } from '../../eventsourcing/ports/clock.port.js';
import type { Collection, Documents } from '../../eventsourcing/ports/documents.port.js';
import { repeat } from '../../runtime/following/repeat.js';
import { SAMPLE_EVERY, type ProcessSamples, type Samples, type Usage } from './process-samples.js';

/** The state of a server that a process uses. `since`: when it was first found away, ISO 8601. `waiting`: what waits for it. */
export type ProcessServer = { readonly status: 'up' } | { readonly status: 'down'; readonly since: string; readonly waiting: string };

/** What a process is. Times are in ISO 8601. */
export type ProcessIdentity = {
  readonly id: string;
  readonly host: string;
  readonly pid: number;
  /** `api`, and the background roles. */
  readonly roles: readonly string[];
  readonly version: string;
  readonly startedAt: string;
};

/** What a process says about itself and about what it uses. */
export type ProcessReport = {
  /** The servers that it uses, by name. Empty on one folder. */
  readonly servers: Readonly<Record<string, ProcessServer>>;
  /** By consumer, and of the relay: what waits, null if it is unknown, and what is parked. Null if this process runs none, or does not know. */
  readonly consumers: Readonly<Record<string, { readonly behind: number | null; readonly parked: number }>> | null;
};

/** A process of the service. `seenAt`: its last heartbeat. */
export type ProcessState = ProcessIdentity & ProcessReport & { readonly seenAt: string; readonly samples: Samples };

/** Tells which processes of the service run. */
export abstract class Processes {
  /** Returns the processes that were seen in the last minute, those that started first come first. Never rejects. */
  abstract states(): Promise<readonly ProcessState[]>;
}

/** For a process that only runs a command. */
export const NO_PROCESSES: Processes = { states: async () => [] };

/** The heartbeats of processes on several machines. They are not copied to another store. */
export const HEARTBEATS: Collection = {
  name: 'heartbeats',
  version: 1,
  fields: { seenAt: 'text' },
  indexes: [['seenAt']],
  cells: [],
};

/** Milliseconds after which a process that wrote no heartbeat is not shown (contract 43.12). */
const EXPIRES_AFTER = 60_000;
/** The maximum number of processes that are shown. */
const MAX_PROCESSES = 100;

export type HeartbeatOptions = {
  readonly identity: ProcessIdentity;
  readonly samples: ProcessSamples;
  readonly usage: () => Promise<Usage>;
  readonly report: () => Promise<ProcessReport>;
  readonly clock: Clock;
  /** Where heartbeats are written. Null on one folder, which has one process. */
  readonly documents: Pick<Documents, 'apply' | 'find'> | null;
  /** Called if a heartbeat cannot be written, or if this process cannot measure itself. */
  readonly onError: (error: unknown) => void;
};

/** The heartbeat of this process: it takes a sample of itself every ten seconds, and writes it where other processes read it. */
export class Heartbeat extends Processes {
  private own: ProcessState;
  private end: () => Promise<void> = () => Promise.resolve();

  constructor(private readonly options: HeartbeatOptions) {
    super();
    const { identity, samples } = options;
    this.own = { ...identity, servers: {}, consumers: null, seenAt: identity.startedAt, samples: samples.all() };
  }

  start(): void {
    const { clock, onError } = this.options;
    const every = SAMPLE_EVERY * 1_000;
    const work = (): Promise<number> => this.beat().then(() => every);
    this.end = repeat({ clock, firstDelay: 0, work, failureDelay: every, onError });
  }

  async states(): Promise<readonly ProcessState[]> {
    const { documents, clock } = this.options;
    const others = documents ? await this.others(documents, clock.now()).catch(() => []) : [];
    return [this.own, ...others].toSorted((a, b) => (a.startedAt < b.startedAt ? -1 : a.startedAt > b.startedAt ? 1 : 0));
  }

  /** Ends the heartbeats. Other processes then see at once that this one has stopped. */
  async stop(): Promise<void> {
    const { documents, identity, onError } = this.options;
    await this.end();
    await documents?.apply([{ kind: 'delete', collection: HEARTBEATS, key: identity.id }]).catch(onError);
  }

  private async beat(): Promise<void> {
    const { identity, samples, usage, report, clock, documents } = this.options;
    const [used, reported] = await Promise.all([usage(), report()]);
    const now = clock.now();
    samples.take(now, used);
    this.own = { ...identity, ...reported, seenAt: now.toISOString(), samples: samples.all() };
    if (!documents) return;
    const expired = await documents.find(HEARTBEATS, { ...EXPIRED, where: { seenAt: { to: timeBefore(now, 2 * EXPIRES_AFTER) } } });
    const document = { key: identity.id, json: JSON.stringify(this.own), revision: 0, fields: { seenAt: this.own.seenAt } };
    await documents.apply([
      ...expired.map(({ key }) => ({ kind: 'delete', collection: HEARTBEATS, key }) as const),
      { kind: 'put', collection: HEARTBEATS, document },
    ]);
  }

  private async others(documents: Pick<Documents, 'find'>, now: Date): Promise<readonly ProcessState[]> {
    const where = { seenAt: { from: timeBefore(now, EXPIRES_AFTER) } };
    const found = await documents.find(HEARTBEATS, { where, sort: ['seenAt'], limit: MAX_PROCESSES, offset: 0 });
    return found.filter(({ key }) => key !== this.own.id).map(({ json }) => JSON.parse(json) as ProcessState);
  }
}

/** A killed process leaves its last heartbeat behind. Each heartbeat deletes some of them. */
const EXPIRED = { sort: ['seenAt'], limit: 10, offset: 0 };

const timeBefore = (now: Date, milliseconds: number): string => new Date(now.getTime() - milliseconds).toISOString();
