import { memoryBlobs } from '../../libs/adapters/files/index.js';
import { contracts, publicMessageMapper, TOPIC_PARTITIONS, topicsOf } from '../../libs/contracts/contracts.js';
import type { RecordedEvent } from '../../libs/eventsourcing/message.js';
import { checkpointOf } from '../../libs/eventsourcing/ports/documents.port.js';
import { StoreUnavailable } from '../../libs/eventsourcing/ports/event-store.port.js';
import { projections } from '../../libs/projections/projections.js';
import { RELAY } from '../../libs/runtime/relay/relay.js';
import { OperatorDecisions } from '../../libs/runtime/operating/operator-state.js';
import { shareTail } from '../../libs/runtime/following/shared-tail.js';
import { createProjector } from '../../libs/runtime/projecting/projector.js';
import { readParkedMessages } from '../../apps/petstore/composition/distributed/messaging.js';
import { createConsistency, type Consistency } from '../../apps/api/http/consistency/consistency.js';
import { Problem } from '../../apps/api/http/problems/problem.js';
import { createDistributedProfile } from '../../apps/worker/distributed-profile.js';
import { ROLES } from '../../apps/worker/role-names.js';
import { CONSUMERS, startRoles } from '../../apps/worker/roles.js';
import { Broker } from './adapters/simulated-broker.js';
import { DocumentServer, simulatedDocuments } from './adapters/simulated-documents.js';
import { LogServer, simulatedEventStore } from './adapters/simulated-event-store.js';
import { KeyServer, simulatedKeys } from './adapters/simulated-keys.js';
import { LeaseServer, simulatedLeases } from './adapters/simulated-leases.js';
import { LedgerServer, simulatedLedger } from './adapters/simulated-ledger.js';
import { simulatedPublisher, topicsNow } from './adapters/simulated-publisher.js';
import { simulatedTopicMessages } from './adapters/simulated-topic-messages.js';
import { simulatedWorkQueue, WorkQueueServer } from './adapters/simulated-work-queue.js';
import type { CalledProcess } from './clients.js';
import { Network } from './network.js';
import { crashPointOf, MOST_SKEW, Process } from './process.js';
import { Place } from './place.js';
import { openService, type Service } from './service.js';
import { Violation } from './violation.js';
import type { World, WorldParts } from './world.js';

const SERVERS = ['log', 'database', 'broker'] as const;
const MACHINES = ['m1', 'm2', 'm3'] as const;
const TOPICS = topicsOf(contracts);
const PROJECTORS = projections.map((projection) => createProjector(projection));
/** Milliseconds for which an answer to a write waits for its read model. */
const WRITE_WAIT = 300;

const groupOf = (consumer: string): string => `petstore.${consumer}`;

/** The service of a process, with the consistency of its interface. */
type ServiceOfMachine = Service & { readonly consistency: Consistency };

/** Several machines with servers that they share. Each runs all roles, and answers clients. */
export const severalMachines = (parts: WorldParts): World => {
  const { timeline, random, story, receivers, onFailure } = parts;
  const network = new Network(parts);
  /** The clock of the servers. */
  const { clock } = new Process('servers', { name: 'servers', skew: 0 }, timeline);
  const log = new LogServer();
  const leases = new LeaseServer(clock);
  const documents = new DocumentServer(clock, leases);
  const work = new WorkQueueServer(clock);
  const keys = new KeyServer(clock, () => random.number());
  const ledger = new LedgerServer();
  const broker = new Broker(clock);
  for (const topic of TOPICS) broker.createTopic(topic);
  const blobs = memoryBlobs(clock);
  const open = async (opened: Process, onReady: (service: ServiceOfMachine) => void): Promise<void> => {
    const [toLog, toDatabase] = [network.linkOf(opened, 'log'), network.linkOf(opened, 'database')];
    const toBroker = network.linkOf(opened, 'broker', true);
    const events = simulatedEventStore(log, toLog);
    const head = (): Promise<number> => events.lastPosition();
    const store = shareTail(events);
    const stored = simulatedDocuments(documents, toDatabase);
    const consistency = createConsistency({
      decisions: new OperatorDecisions(stored),
      store,
      head,
      documents: stored,
      projections,
      clock: opened.clock,
      writeWaitMilliseconds: WRITE_WAIT,
    });
    let messages: ReturnType<typeof simulatedTopicMessages> | undefined;
    const ready = await openService({
      ...{ process: opened, random, story, blobs, head },
      store: consistency.store,
      documents: consistency.documents,
      keys: simulatedKeys(keys, toDatabase),
      work: simulatedWorkQueue(work, toDatabase),
      ledger: simulatedLedger(ledger, toDatabase),
      egress: receivers.egressOf(opened),
      messagesOn: (codec, lines) =>
        (messages = simulatedTopicMessages(broker, toBroker, {
          ...{ topics: TOPICS, groupOf, documents: stored, clock: opened.clock, log: lines },
          waiting: readParkedMessages(store, codec),
        })),
      positions: 'with gaps',
      writers: 'many processes',
      observedEvents: store.observedEvents,
    });
    const owner = opened.name;
    const profile = createDistributedProfile({
      ...ready.ports,
      ...{ store, documents: stored, projectionDocuments: stored, projectors: PROJECTORS, owner, head },
      leases: simulatedLeases(leases, toDatabase),
      openPublisher: () => simulatedPublisher(broker, 'petstore.relay', toBroker),
      topicsNow: () => topicsNow(broker, TOPICS, toBroker),
      consumerStates: () => messages?.statesOf(CONSUMERS) ?? Promise.reject(new StoreUnavailable('no messages are read yet')),
      addPartitions: () => Promise.resolve('no partitions are added in a simulation'),
      onCaughtUp: () => Promise.resolve(),
      onParked: (reader, parked) => onFailure(new Error(`${reader} has parked ${parked.stream}: ${parked.reason}`)),
      messageCounter: { countUntil: () => Promise.resolve() },
    });
    onReady({ ...ready, consistency });
    await startRoles(new Set(ROLES), ready.ports, profile);
  };

  const places = MACHINES.slice(0, random.chance(0.3) ? 3 : 2).map(
    (name) => new Place({ name, skew: 0 }, parts, { nameOf: (nth) => `${name}.${nth}`, restartWithin: 2_000, open }),
  );

  const called = ({ service, process }: Place<ServiceOfMachine>): CalledProcess[] =>
    service && process
      ? [
          {
            name: process.name,
            bus: service,
            givesTokens: true,
            request: (kind, token, handle) => inRequest(service.consistency, kind, token, handle),
          },
        ]
      : [];

  return {
    ...{ log, documents, keys, ledger },
    start: () => places.forEach((place) => place.start()),
    findProcess(pick) {
      const found = places.flatMap(called);
      return found[Math.floor(pick * found.length)] ?? null;
    },
    befall({ name, picks: [first, second, third], duration }) {
      const place = places[Math.floor(first * places.length)];
      if (!place) return;
      const server = SERVERS[Math.floor(second * SERVERS.length)] ?? 'log';
      const later = (end: () => void): void => void timeline.after(duration, end);
      switch (name) {
        case 'crash':
          return place.crashAt(crashPointOf(second, third));
        case 'pause':
          return place.process?.pause(duration);
        case 'server away':
          network.down.add(server);
          return later(() => network.down.delete(server));
        case 'cut': {
          const cut = `${place.machine.name} ${server}`;
          network.cut.add(cut);
          return later(() => network.cut.delete(cut));
        }
        case 'lost answers':
          network.losses = 0.05 + third * 0.2;
          return later(() => (network.losses = 0));
        case 'slow network': {
          // Calls of a process arrive after its lease has ended.
          const slow = `${place.machine.name} ${server}`;
          network.slow.set(slow, third * 9_000);
          return later(() => network.slow.delete(slow));
        }
        case 'clock':
          place.machine.skew = (third * 2 - 1) * MOST_SKEW;
          return;
        case 'failing receivers':
          receivers.failures = 0.5;
          return later(() => (receivers.failures = 0));
        default:
          throw new Error(`${name} does not happen to several machines`);
      }
    },
    heal() {
      network.down.clear();
      network.cut.clear();
      network.slow.clear();
      network.losses = 0;
      receivers.failures = 0;
    },
    whatIsLeft() {
      if (!work.isEmpty()) return 'work is queued';
      const lagging = PROJECTORS.find(({ category, collection }) => documents.checkpoint(checkpointOf(collection)) < lastOf(log, category));
      if (lagging) return `the read model ${lagging.name} lags`;
      const behind = CONSUMERS.find((consumer) => broker.lag(groupOf(consumer), TOPICS).count > 0);
      if (behind !== undefined) return `the consumer ${behind} is behind`;
      const unpublished = documents.checkpoint(RELAY) < log.head();
      return unpublished ? 'the relay lags' : null;
    },
    checkEnd: (events) => checkTopics(broker, events),
  };
};

const lastOf = (log: LogServer, category: string): number =>
  log.events.findLast(({ stream }) => stream.startsWith(`${category}-`))?.position ?? 0;

/** Checks that every event of a published stream has a message, and that the messages of a key first appear in order. */
const checkTopics = (broker: Broker, events: readonly RecordedEvent[]): void => {
  const messageOf = publicMessageMapper(contracts);
  const expected = Map.groupBy(
    events.filter((event) => messageOf(event)),
    ({ meta }) => meta.stream,
  );
  const seen = new Map<string, number[]>();
  for (const topic of TOPICS)
    for (let partition = 0; partition < TOPIC_PARTITIONS; partition++)
      for (const { stream, revision } of messagesOf(broker, topic, partition)) {
        const ofStream = seen.get(stream) ?? [];
        if (!ofStream.includes(revision)) seen.set(stream, [...ofStream, revision]);
      }
  for (const [stream, published] of expected) {
    const [wanted, found] = [published.map(({ meta }) => meta.revision).join(), (seen.get(stream) ?? []).join()];
    if (wanted !== found) throw new Violation('order per key', `the events ${wanted} of ${stream} have the messages ${found || 'none'}`);
  }
};

function* messagesOf(broker: Broker, topic: string, partition: number): Iterable<{ readonly stream: string; readonly revision: number }> {
  for (let offset = 0; ;) {
    const { messages, nextOffset } = broker.fetch({ topic, partition, offset });
    for (const { headers } of messages)
      yield { stream: String(headers['ce_subject']), revision: Number(String(headers['ce_sequence'])) - 1 };
    if (nextOffset === offset) return;
    offset = nextOffset;
  }
}

/** Runs work as the request of a client, with the real consistency of the interface. */
const inRequest = async <T>(consistency: Consistency, kind: 'read' | 'write', token: string | undefined, handle: () => Promise<T>) => {
  const request = { headers: token === undefined ? {} : { 'consistency-token': token } };
  const headers = new Map<string, unknown>();
  const reply = { hasHeader: (name: string) => headers.has(name), header: (name: string, value: unknown) => void headers.set(name, value) };
  const value = await new Promise<T>((resolve, reject) =>
    consistency.begin(request as never, reply as never, (error?: Error) => {
      if (error) reject(error);
      else handle().then(resolve, reject);
    }),
  ).catch((error: unknown) => {
    // A read whose read model lags too far behind is answered by a 503.
    throw error instanceof Problem ? new StoreUnavailable(error.message) : error;
  });
  // The controllers set this header.
  if ((value as { readonly replayed?: boolean } | null)?.replayed) headers.set('idempotent-replayed', 'true');
  await consistency.beforeSending(request as never, reply as never, kind === 'write');
  return { value, token: headers.get('consistency-token') as string | undefined };
};
