import { eventually } from '../../eventually.js';
import { openMongo } from '../../../libs/adapters/mongodb/index.js';
import { systemClock } from '../../../libs/adapters/system/index.js';
import { petsProjection } from '../../../libs/projections/pets.projection.js';
import { aggregateIdOf } from '../../../libs/eventsourcing/message.js';
import { projections } from '../../../libs/projections/projections.js';
import type { StoredEvent } from '../../../libs/eventsourcing/ports/event-store.port.js';
import type { DistributedStore } from '../../../apps/petstore/composition/distributed/distributed.js';
import { openEmbeddedStore } from '../../../apps/petstore/composition/embedded/embedded.js';
import { readFolderKeys } from '../../../apps/petstore/composition/embedded/folder.js';
import { measureLag } from '../../../apps/petstore/composition/distributed/watching/lag.js';
import { createLog } from '../../../apps/petstore/logging/log.js';

const PAGE = 5_000;
const IN_FLIGHT = 128;
const SETTLES_WITHIN = 900_000;

/** Copies a folder's keys into MongoDB. Call it before a service starts on this MongoDB, because it would create other keys. */
export const copyKeys = async (directory: string, mongoUrl: string): Promise<void> => {
  const log = createLog('warn');
  const mongo = await openMongo({ url: mongoUrl, clock: systemClock, log });
  try {
    for (const key of await readFolderKeys(directory)) await mongo.keys.importKey(key);
  } finally {
    await mongo.close();
  }
};

/**
 * Copies the events of a folder. It appends to many streams at the same time, so it does not keep the order of the log.
 * `petstore copy` keeps the order and is slower.
 */
export const copyEvents = async (directory: string, store: DistributedStore['store']): Promise<void> => {
  const from = await openEmbeddedStore({ directory, log: createLog('warn') });
  try {
    for (let position = 0; ;) {
      const events = await from.store.readAll(position, PAGE);
      if (events.length === 0) return;
      position = events.at(-1)?.position ?? position;
      const streams = [...Map.groupBy(events, ({ stream }) => stream).values()];
      const append = async (): Promise<void> => {
        for (let ofStream = streams.pop(); ofStream; ofStream = streams.pop()) await appendAll(store, ofStream);
      };
      await Promise.all(Array.from({ length: IN_FLIGHT }, append));
    }
  } finally {
    await from.close();
  }
};

/** A pet as the API returns it. */
export type PetBody = { readonly id: string; readonly price?: string };

/** Returns all pets of a folder. Reads each pet by its id, because the last pages of a long list are slow. */
export const petsIn = async (directory: string): Promise<readonly PetBody[]> => {
  const opened = await openEmbeddedStore({ directory, log: createLog('warn') });
  const { store, documents } = opened;
  try {
    const pets: PetBody[] = [];
    for (let position = 0; ;) {
      const events = await store.readAll(position, PAGE);
      if (events.length === 0) return pets;
      position = events.at(-1)?.position ?? position;
      for (const { stream } of events) {
        const document = await documents.get(petsProjection.collection, aggregateIdOf(stream));
        if (document) pets.push(JSON.parse(document.json) as PetBody);
      }
    }
  } finally {
    await opened.close();
  }
};

const appendAll = async (store: DistributedStore['store'], events: readonly StoredEvent[]): Promise<void> => {
  for (const { stream, revision, id, type, data, metadata } of events) {
    const result = await store.append(stream, revision === 0 ? 'none' : revision - 1, [{ id, type, data, metadata }]);
    if (result.kind !== 'appended') throw new Error(`${stream} has other events on the servers`);
  }
};

/** Waits until every projection and the relay have reached the end of the log. */
export const untilSettled = async (opened: DistributedStore): Promise<void> => {
  const hasSettled = async (): Promise<boolean> => {
    const { behind: lag } = await measureLag({ ...opened, projections, head: () => opened.store.lastPosition() });
    return Object.values(lag).every((events) => events === 0);
  };
  await eventually('no lag', hasSettled, SETTLES_WITHIN);
};
