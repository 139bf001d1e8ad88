import type { Collection, Documents, DocumentWrite } from '../../eventsourcing/ports/documents.port.js';
import type { EventCodec } from '../../eventsourcing/event-codec.js';
import { BrokenHistory, type HistoryFault, type StreamFaultLookup } from '../../eventsourcing/history.js';

/**
 * The broken streams, which have an altered or unreadable event. They are stored beside the read models, and every process of
 * the service reads them.
 */
const BROKEN_STREAMS: Collection = {
  name: 'broken_streams',
  version: 1,
  fields: { kind: 'text' },
  indexes: [['kind']],
  cells: [],
};

/** The maximum number of broken streams that are read. It is more than an operator could repair. */
const LIMIT = 100_000;

/**
 * The state of the log, for readiness. `altered`: at least one stream was altered. `unreadable`: no stream
 * was altered, but one needs a newer version of the software.
 */
export type HistoryState = 'intact' | 'altered' | 'unreadable';

/** The operator's remedy for each kind of fault. */
export const REMEDIES: Readonly<Record<HistoryFault['kind'], string>> = {
  altered: 'restore a backup that was made before the change, or put the events back as they were',
  unreadable: 'start the version of the software that wrote the event, or a newer version',
};

export type StreamFaultsDependencies = {
  readonly documents: Pick<Documents, 'prepare' | 'get' | 'texts' | 'apply'>;
  /** Called for each fault that this process finds. */
  readonly onFound: (fault: HistoryFault) => void;
  /** Called when a fault could not be stored, or its tenant could not be read. The next `refresh` stores the fault. */
  readonly onError: (error: unknown) => void;
  /** Returns the tenant of a stream as a read model shows it. Null if no read model shows the stream. */
  readonly tenantOf: (stream: string) => Promise<string | null>;
};

/**
 * Records the faults of broken streams. The faults are cached in memory, because every request checks them. They are also
 * stored, so that other processes and later starts know them.
 */
export class StreamFaults implements StreamFaultLookup {
  private faults = new Map<string, HistoryFault>();
  /** Faults found by this process that are not stored yet. */
  private readonly unstored = new Map<string, HistoryFault>();
  private readonly listeners: ((fault: HistoryFault) => void)[] = [];
  private storing: Promise<void> = Promise.resolve();

  constructor(private readonly dependencies: StreamFaultsDependencies) {}

  /** Prepares the collection and reads the stored faults. */
  async open(): Promise<void> {
    await this.dependencies.documents.prepare(BROKEN_STREAMS);
    await this.read();
  }

  of(stream: string): HistoryFault | undefined {
    return this.faults.get(stream);
  }

  all(): readonly HistoryFault[] {
    return [...this.faults.values()];
  }

  state(): HistoryState {
    if (this.faults.size === 0) return 'intact';
    return this.all().some(({ kind }) => kind === 'altered') ? 'altered' : 'unreadable';
  }

  /** Adds a listener for the faults that this process finds. It receives a fault after the stream's tenant was looked up. */
  onFault(listener: (fault: HistoryFault) => void): void {
    this.listeners.push(listener);
  }

  record(fault: HistoryFault): void {
    const before = this.faults.get(fault.stream);
    if (before) {
      // A known fault stays as it is, but its tenant may become known later.
      if (before.tenant === null && fault.tenant !== null) this.faults.set(fault.stream, { ...before, tenant: fault.tenant });
      return;
    }
    this.faults.set(fault.stream, fault);
    this.unstored.set(fault.stream, fault);
    this.dependencies.onFound(fault);
    this.storing = this.storing.then(() => this.storeWithTenant(fault.stream));
  }

  /** Returns a fault from the cache, or else from the database, where another process may have stored it. */
  async lookUp(stream: string): Promise<HistoryFault | undefined> {
    const fault = this.faults.get(stream);
    if (fault) return fault;
    const stored = await this.dependencies.documents.get(BROKEN_STREAMS, stream);
    return stored ? (JSON.parse(stored.json) as HistoryFault) : undefined;
  }

  /** Deletes the fault of a stream that is intact again. */
  async clear(stream: string): Promise<void> {
    await this.storing;
    await this.dependencies.documents.apply([{ kind: 'delete', collection: BROKEN_STREAMS, key: stream }]);
    this.unstored.delete(stream);
    this.faults.delete(stream);
  }

  /** Stores the faults that an earlier attempt could not store. Reads the faults that other processes have stored. */
  async refresh(): Promise<void> {
    await this.storing;
    await this.store();
    await this.read();
  }

  /** Resolves when each recorded fault is stored, or could not be stored. */
  waitUntilStored(): Promise<void> {
    return this.storing;
  }

  private async storeWithTenant(stream: string): Promise<void> {
    try {
      const tenant = this.faults.get(stream)?.tenant ?? (await this.dependencies.tenantOf(stream));
      const fault = this.faults.get(stream);
      if (!fault) return;
      const ofTenant = { ...fault, tenant };
      this.faults.set(stream, ofTenant);
      if (this.unstored.has(stream)) this.unstored.set(stream, ofTenant);
      for (const listener of this.listeners) listener(ofTenant);
      await this.store();
    } catch (error) {
      this.dependencies.onError(error);
    }
  }

  private async store(): Promise<void> {
    const faults = [...this.unstored.values()];
    if (faults.length === 0) return;
    await this.dependencies.documents.apply(faults.map(put));
    for (const { stream } of faults) this.unstored.delete(stream);
  }

  private async read(): Promise<void> {
    const texts = await this.dependencies.documents.texts(BROKEN_STREAMS, { where: {}, sort: ['kind'], limit: LIMIT, offset: 0 });
    const stored = texts.map((text) => JSON.parse(text) as HistoryFault);
    this.faults = new Map([...stored, ...this.unstored.values()].map((fault) => [fault.stream, fault]));
  }
}

const put = (fault: HistoryFault): DocumentWrite => ({
  kind: 'put',
  collection: BROKEN_STREAMS,
  document: { key: fault.stream, json: JSON.stringify(fault), revision: fault.revision, fields: { kind: fault.kind } },
});

/** Wraps a codec so that every fault that it finds is recorded. */
export const recordFaults = (codec: EventCodec, faults: Pick<StreamFaultLookup, 'record'>): EventCodec => {
  const recording = <T>(work: () => T): T => {
    try {
      return work();
    } catch (error) {
      if (error instanceof BrokenHistory) faults.record(error.fault);
      throw error;
    }
  };
  return {
    encode: (...args) => codec.encode(...args),
    decode: (event) => recording(() => codec.decode(event)),
    verify: (event, previousHash) => recording(() => codec.verify(event, previousHash)),
    hashOf: (event) => recording(() => codec.hashOf(event)),
    skippedRevisions: (name, stream) => codec.skippedRevisions(name, stream),
  };
};
