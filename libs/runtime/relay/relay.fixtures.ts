import type { StoredDocument } from '../../eventsourcing/ports/documents.port.js';
import { LeaseLost } from '../../eventsourcing/ports/leases.port.js';
import type { PublicMessage, Publisher } from '../../eventsourcing/ports/publisher.port.js';
import { manualClock } from '../../eventsourcing/testing/manual-clock.js';
import {
  NO_DECISIONS,
  memoryLeases,
  memoryFaults,
  runPending,
  advanceUntil,
  testCodec,
  createTestLog,
} from '../following/following.fixtures.js';
import { PARKED_STREAMS } from '../projecting/parked-streams.js';
import { TOPIC_SPREAD } from './topic-spread.js';
import { startRelay, type Relay, type RelayDependencies } from './relay.js';

/** Returns a message mapper for streams `thing-…`. It has messages only for these event types, and throws for others. */
export const messagesFor =
  (...types: readonly string[]): RelayDependencies['messageOf'] =>
  ({ type, meta: { stream: key, revision } }) => {
    if (!key.startsWith('thing-')) return null;
    if (!types.includes(type)) throw new Error(`no message is declared for ${type}`);
    return { topic: 'things', key, attributes: { subject: key, sequence: String(revision + 1) }, data: '{}' };
  };

const describeMessage = ({ attributes }: PublicMessage): string => `${attributes['subject']}/${attributes['sequence']}`;

/** Relays under test, with their log, leases, brokers and documents in memory. */
export class RelayUnderTest {
  readonly clock = manualClock();
  readonly log = createTestLog();
  readonly leasing = memoryLeases(this.clock);
  readonly sent: string[][] = [];
  readonly faults = memoryFaults();
  readonly parked: string[] = [];
  /** The stored documents of parked streams, as JSON. */
  readonly waiting = new Map<string, string>();
  readonly errors: unknown[] = [];
  stored = 0;
  opened = 0;
  /** The id of the Kafka cluster that has the topics. */
  cluster = 'kafka-one';
  ends: Record<string, number> = {};
  recorded: StoredDocument | null = null;
  /** The stored record of the spread of keys. */
  spread: StoredDocument | null = null;
  /** The states of the consumers, by name. */
  consumers: Record<string, { behind: number; parked: number }> = {};
  /** The numbers of partitions that the topics got. */
  readonly partitionsAdded: number[] = [];
  /** Why the brokers refuse to add partitions. */
  refusal: string | null = null;
  readonly documents = this.createDocuments();
  private readonly relays: Relay[] = [];

  /** Runs when a batch is sent. The batch is acknowledged afterwards. */
  publishing: (messages: readonly PublicMessage[]) => Promise<void> = () => Promise.resolve();
  storing: () => Promise<void> = () => Promise.resolve();

  start(dependencies: Partial<RelayDependencies> = {}): Relay {
    const relay = startRelay({ ...this.dependencies(), ...dependencies });
    this.relays.push(relay);
    return relay;
  }

  /**
   * Starts a relay that has published one event, which the brokers acknowledge when `acknowledge` is called.
   */
  async startWithOneUnacknowledged(): Promise<{ readonly relay: Relay; readonly acknowledge: () => void }> {
    let acknowledge = (): void => undefined;
    this.publishing = () => new Promise((resolve) => (acknowledge = resolve));
    this.log.add('thing-1');
    const relay = this.start();
    await this.until(() => this.opened === 1);
    await runPending();
    return { relay, acknowledge: () => acknowledge() };
  }

  async close(): Promise<void> {
    await Promise.all(this.relays.map((relay) => relay.stop()));
  }

  until(condition: () => boolean): Promise<void> {
    return advanceUntil(this.clock, 'the expected state', condition);
  }

  all(): string[] {
    return this.sent.flat();
  }

  /** Opens a publisher. Earlier publishers then throw `LeaseLost`. */
  async openPublisher(): Promise<Publisher> {
    const mine = ++this.opened;
    return {
      publish: async (messages) => {
        if (mine !== this.opened) throw new LeaseLost('a newer publisher exists');
        await this.publishing(messages);
        if (mine !== this.opened) throw new LeaseLost('a newer publisher exists');
        this.sent.push(messages.map(describeMessage));
        this.ends['things/0'] = (this.ends['things/0'] ?? 0) + messages.length;
        return { ...this.ends };
      },
      close: () => Promise.resolve(),
    };
  }

  private dependencies(): RelayDependencies {
    return {
      store: this.log.store,
      decisions: NO_DECISIONS,
      codec: testCodec,
      faults: this.faults,
      onParked: (_, { stream, revision }) => void this.parked.push(`${stream}/${revision}`),
      messageOf: messagesFor('Made'),
      openPublisher: () => this.openPublisher(),
      consumerStates: async () => this.consumers,
      addPartitions: async (count) => {
        if (this.refusal === null) this.partitionsAdded.push(count);
        return this.refusal;
      },
      topicsNow: async () => ({ cluster: this.cluster, ends: { ...this.ends } }),
      documents: this.documents,
      leases: this.leasing.leases,
      owner: 'one',
      clock: this.clock,
      interval: 0,
      onError: (error) => void this.errors.push(error),
    };
  }

  private createDocuments(): RelayDependencies['documents'] {
    return {
      checkpoint: async () => this.stored,
      prepare: async () => undefined,
      get: async ({ name }) => (name === TOPIC_SPREAD.name ? this.spread : this.recorded),
      texts: async () => [...this.waiting.values()],
      apply: async (writes, checkpoint) => {
        for (const write of writes.filter(({ collection }) => collection === PARKED_STREAMS)) {
          if (write.kind === 'put') this.waiting.set(write.document.key, write.document.json);
          else if (write.kind === 'delete') this.waiting.delete(write.key);
        }
        await this.storing();
        if (checkpoint?.lease && !this.leasing.isCurrent(checkpoint.lease)) throw new LeaseLost('another process owns it');
        this.stored = checkpoint?.position ?? this.stored;
        for (const write of writes) {
          if (write.kind !== 'put') continue;
          if (write.collection === TOPIC_SPREAD) this.spread = write.document;
          else this.recorded = write.document;
        }
        return true;
      },
    };
  }
}
