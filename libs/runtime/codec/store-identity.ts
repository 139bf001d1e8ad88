import type { EventStore } from '../../eventsourcing/ports/event-store.port.js';
import type { KeyLookup } from '../../eventsourcing/ports/key-vault.port.js';
import { doKeysMatchLog } from './key-proof.js';

/** The stream with the id of the store. It has one event. No projection and no domain process reads its category. */
export const STORE_STREAM = 'store';
/** The key of the database record that contains the store's id. */
const RECORD = 'id';

/** Number of events that are read at a time to find sealed values. */
const PAGE = 1_000;
/** Matches a sealed value that is not erased. */
const SEALED = /"\$sealed":"[^"]/;

/** The log or the database has the id of another store, or has no store id. The error's message says what to do. */
export class StoreMismatch extends Error {
  override readonly name = 'StoreMismatch';
}

/** The store's id as the database stores it. */
export type StoreRecord = { readonly storeId: string };

export type IdentityPorts = {
  readonly log: Pick<EventStore, 'append' | 'readStream' | 'readAll'>;
  /** Records that are written only once. `recordOnce` returns the stored record, which an earlier call may have written. */
  readonly records: {
    recordOnce(key: string, record: StoreRecord): Promise<StoreRecord>;
    get(key: string): Promise<StoreRecord | null>;
  };
  readonly keys: KeyLookup;
  readonly newId: () => string;
};

/**
 * Returns the id that the log and the database share. A new store gets a new id. A store of an older release has no id, and
 * gets a new one if its keys belong to its log. Rejects with StoreMismatch if the log or the database is lost or belongs to
 * another store. Rejects with StoreUnavailable if the log or the database cannot be reached.
 */
export const ensureStoreId = async (ports: IdentityPorts): Promise<string> => {
  const [inLog, inDatabase] = [await idInLog(ports), await idInDatabase(ports)];
  if (inLog !== null && inDatabase !== null) return assertSameId(inLog, inDatabase);
  if (inDatabase !== null) return rejectLostLog(ports, inDatabase);
  return inLog === null ? createStoreId(ports) : completeStoreId(ports, inLog);
};

/** Returns the store's id from the database, for callers that need no log. Rejects with StoreMismatch if there is none. */
export const storeIdInDatabase = async (ports: Pick<IdentityPorts, 'records'>): Promise<string> => {
  const id = await idInDatabase(ports);
  if (id === null)
    throw new StoreMismatch('the database at MONGODB_URL contains no store: start "petstore api" or "petstore worker" to create one');
  return id;
};

/** Writes the id of a copied store to empty servers. Rejects with StoreMismatch if they contain another store. */
export const copyStoreId = async (ports: Omit<IdentityPorts, 'keys' | 'newId'>, storeId: string): Promise<void> => {
  const inDatabase = await idInDatabase(ports);
  if (inDatabase !== null && inDatabase !== storeId) throw otherStore('MONGODB_URL', inDatabase);
  const inLog = (await idInLog(ports)) ?? (await writeToLog(ports, storeId));
  if (inLog !== storeId) throw otherStore('EVENTSTOREDB_URL', inLog);
  await ports.records.recordOnce(RECORD, { storeId });
};

const createStoreId = async (ports: IdentityPorts): Promise<string> => {
  const isUsed = (await ports.log.readAll(0, 1)).length > 0;
  if (isUsed && !(await doKeysMatchLog(ports.keys, readSealed(ports.log)))) throw lostDatabase('the log contains events but no store id');
  return recordId(ports, await writeToLog(ports, ports.newId()));
};

/**
 * Completes a store whose log has an id and whose database has none. A first start writes the id to the log, and only afterwards
 * to the database. So either that start was interrupted before the second write, or the database is lost.
 */
const completeStoreId = async (ports: IdentityPorts, inLog: string): Promise<string> => {
  const isUsed = (await ports.log.readAll(0, 1)).length > 0;
  if (!isUsed) return recordId(ports, inLog);
  // After this process read the database, another process may have written the id to the database and appended events.
  const inDatabase = await idInDatabase(ports);
  if (inDatabase !== null) return assertSameId(inLog, inDatabase);
  // If the keys match the log, the database is not lost. A release that wrote no store id created the store, and the first
  // start of a newer release was interrupted between its two writes.
  if (await doKeysMatchLog(ports.keys, readSealed(ports.log))) return recordId(ports, inLog);
  throw lostDatabase(`the log has the store id ${inLog}`);
};

const recordId = async (ports: IdentityPorts, storeId: string): Promise<string> =>
  assertSameId(storeId, (await ports.records.recordOnce(RECORD, { storeId })).storeId);

const idInDatabase = async ({ records }: Pick<IdentityPorts, 'records'>): Promise<string | null> =>
  (await records.get(RECORD))?.storeId ?? null;

const idInLog = async ({ log }: Pick<IdentityPorts, 'log'>): Promise<string | null> => {
  const [event] = await log.readStream(STORE_STREAM, 0, 1);
  return event ? (JSON.parse(event.data) as StoreRecord).storeId : null;
};

/** Writes the id to the log and returns it. If several processes write at once, all return the id that was written first. */
const writeToLog = async (ports: Pick<IdentityPorts, 'log'>, storeId: string): Promise<string> => {
  const event = { id: storeId, type: 'StoreNamed', data: JSON.stringify({ storeId } satisfies StoreRecord), metadata: '{}' };
  const { kind } = await ports.log.append(STORE_STREAM, 'none', [event]);
  const id = kind === 'appended' ? storeId : await idInLog(ports);
  if (id === null) throw new StoreMismatch(`the stream ${STORE_STREAM} of the log can be neither written nor read`);
  return id;
};

async function* readSealed(log: IdentityPorts['log']): AsyncGenerator<string> {
  for (let position = 0; ;) {
    const events = await log.readAll(position, PAGE);
    for (const { data } of events) if (SEALED.test(data)) yield data;
    const last = events.at(-1);
    if (!last) return;
    ({ position } = last);
  }
}

const assertSameId = (inLog: string, inDatabase: string): string => {
  if (inLog === inDatabase) return inLog;
  throw new StoreMismatch(
    `the log at EVENTSTOREDB_URL has the store id ${inLog}, but the database at MONGODB_URL has the store id ${inDatabase}. ` +
      'Set both addresses to servers of one store, or restore both from one backup. Another store on the same servers needs its own NAMESPACE.',
  );
};

const rejectLostLog = async (ports: IdentityPorts, inDatabase: string): Promise<never> => {
  // This process read the log before the database. Between the two reads, another process may have written the id to both.
  const inLog = await idInLog(ports);
  if (inLog !== null) return assertSameId(inLog, inDatabase) as never;
  throw new StoreMismatch(
    `the database at MONGODB_URL has the store id ${inDatabase}, but the log at EVENTSTOREDB_URL has none: the log was lost or belongs to another store. ` +
      "Restore EventStoreDB's backup, or set EVENTSTOREDB_URL to this store's log.",
  );
};

const lostDatabase = (log: string): StoreMismatch =>
  new StoreMismatch(
    `${log}. The database at MONGODB_URL has neither a store id nor the keys of that log: it was lost, or it belongs to another store. ` +
      "Restore MongoDB's backup (store, key_seal, service_keys, personal_keys, gateway_*), or set MONGODB_URL to this store's database. " +
      'A new store on servers with another store needs its own NAMESPACE.',
  );

const otherStore = (setting: string, id: string): StoreMismatch =>
  new StoreMismatch(`the server at ${setting} already contains the store ${id}: copy into empty servers, or set NAMESPACE`);
