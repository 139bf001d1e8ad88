import { memoryBlobs } from '../../libs/adapters/files/index.js';
import { GATEWAY_CALLS } from '../../libs/application/payments/gateway-calls.js';
import type { StoredEvent } from '../../libs/eventsourcing/ports/event-store.port.js';
import type { ReadCodec } from '../../libs/eventsourcing/event-codec.js';
import { categoryOf } from '../../libs/eventsourcing/message.js';
import { NO_CHANGES, applyEvents } from '../../libs/eventsourcing/projecting.js';
import { projections } from '../../libs/projections/projections.js';
import { recordedTimeOf } from '../../libs/runtime/codec/monotonic-clock.js';
import { createProjector } from '../../libs/runtime/projecting/projector.js';
import { createEmbeddedProfile } from '../../apps/worker/embedded-profile.js';
import { ROLES } from '../../apps/worker/role-names.js';
import { CONSUMERS, startRoles } from '../../apps/worker/roles.js';
import { ConsumerServer, simulatedLogMessages } from './adapters/simulated-log-messages.js';
import { DocumentServer, simulatedDocuments } from './adapters/simulated-documents.js';
import { LogServer, simulatedEventStore } from './adapters/simulated-event-store.js';
import { KeyServer, simulatedKeys } from './adapters/simulated-keys.js';
import { LedgerServer, simulatedLedger } from './adapters/simulated-ledger.js';
import { simulatedWorkQueue, WorkQueueServer } from './adapters/simulated-work-queue.js';
import { Disk } from './network.js';
import { crashPointOf, MOST_SKEW, Process, type Machine } from './process.js';
import { Place } from './place.js';
import { openService, type Service } from './service.js';
import type { World, WorldParts } from './world.js';

const PROJECTORS = projections.map((projection) => createProjector(projection));

/** One process on one folder. Each append changes the read models in its own commit. */
export const oneFolder = (parts: WorldParts): World => {
  const { timeline, random, story, receivers } = parts;
  const machine: Machine = { name: 'machine', skew: 0 };
  const folderClock = new Process('folder', machine, timeline).clock;
  /** The queue reads the time of day when a process starts. From then on, it counts. */
  const machineAtStart: Machine = { name: 'machine', skew: 0 };
  const disk = new Disk(parts);
  const log = new LogServer();
  const documents = new DocumentServer(folderClock);
  const work = new WorkQueueServer(new Process('queue', machineAtStart, timeline).clock);
  const keys = new KeyServer(folderClock, () => random.number());
  const ledger = new LedgerServer();
  const consumers = new ConsumerServer(log);
  const blobs = memoryBlobs(folderClock);

  const open = async (opened: Process, onReady: (service: Service) => void): Promise<void> => {
    machineAtStart.skew = machine.skew;
    const link = disk.linkOf(opened);
    const queue = simulatedWorkQueue(work, link);
    const project = (codec: ReadCodec) => (appended: readonly StoredEvent[]) => projectAppended(documents, codec, appended);
    let read: ReadCodec | null = null;
    const store = simulatedEventStore(log, link, (appended) => read && project(read)(appended));
    await queue.makeDue(GATEWAY_CALLS);
    const ready = await openService({
      ...{ process: opened, random, story, store, keys: simulatedKeys(keys, link), work: queue, blobs },
      documents: simulatedDocuments(documents, link),
      ledger: simulatedLedger(ledger, link),
      egress: receivers.egressOf(opened),
      messagesOn: (_, lines) => simulatedLogMessages(consumers, link, { clock: opened.clock, log: lines }),
      head: () => log.head(),
      positions: 'without gaps',
      writers: 'this process',
    });
    read = ready.checked;
    const [last] = log.readAll(log.head() - 1, 1);
    const time = last && recordedTimeOf(last);
    if (time) ready.eventClock.advanceTo(time);
    const profile = createEmbeddedProfile({
      ...ready.ports,
      catchUp: () => Promise.resolve(),
      retryParkedStreams: () => Promise.resolve(0),
    });
    onReady(ready);
    await startRoles(new Set(ROLES), ready.ports, profile);
  };

  const place = new Place(machine, parts, { nameOf: (nth) => `process ${nth}`, restartWithin: 1_000, open });

  return {
    ...{ log, documents, keys, ledger },
    start: () => place.start(),
    findProcess: () => {
      const { process, service } = place;
      return process && service
        ? { bus: service, name: process.name, givesTokens: false, request: async (_, __, handle) => ({ value: await handle() }) }
        : null;
    },
    befall({ name, picks: [first, second], duration }) {
      const later = (end: () => void): void => void timeline.after(duration, end);
      switch (name) {
        case 'crash':
          return place.crashAt(crashPointOf(first, second));
        case 'clock':
          machine.skew = (first * 2 - 1) * MOST_SKEW;
          return;
        case 'full disk':
          disk.isFull = true;
          return later(() => (disk.isFull = false));
        case 'slow disk':
          disk.isSlow = true;
          return later(() => (disk.isSlow = false));
        case 'failing receivers':
          receivers.failures = 0.5;
          return later(() => (receivers.failures = 0));
        default:
          throw new Error(`${name} does not happen to one folder`);
      }
    },
    heal() {
      disk.isFull = false;
      disk.isSlow = false;
      receivers.failures = 0;
    },
    whatIsLeft() {
      if (!place.service) return 'no process runs';
      if (!work.isEmpty()) return 'work is queued';
      const behind = CONSUMERS.find((consumer) => consumers.position(consumer) < log.head() || consumers.parkedCount(consumer) > 0);
      return behind === undefined ? null : `the consumer ${behind} is behind`;
    },
    checkEnd: () => undefined,
  };
};

/** Changes the read models by the events of an append, in the commit of the append. */
const projectAppended = (documents: DocumentServer, codec: ReadCodec, appended: readonly StoredEvent[]): void => {
  const category = categoryOf(appended[0]?.stream ?? '');
  const reached = { position: appended.at(-1)?.position ?? 0 };
  documents.store(
    PROJECTORS.map((projector) => {
      const { collection } = projector;
      if (projector.category !== category) return { ...NO_CHANGES, collection, reached };
      const events = appended.map((event) => codec.decode(event));
      const changes = applyEvents(
        projector,
        { events, broken: [] },
        (key) => documents.get(collection, key),
        () => false,
      );
      if (changes.parked[0]) throw new Error(changes.parked[0].reason);
      return { collection, ...changes, reached };
    }),
  );
};
