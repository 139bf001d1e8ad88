import type { EventStore } from '../../eventsourcing/ports/event-store.port.js';
import type { KeyLookup } from '../../eventsourcing/ports/key-vault.port.js';
import { areKeysOf } from './key-proof.js';

/** The stream that carries the id of the store: one event, in no category that anything reads. */
export const STORE_STREAM = 'store';
/** The record that carries it in the database goes by this key. */
const RECORD = 'id';

/** How many events are looked through at a time for a sealed value. */
const PAGE = 1_000;
/** What a sealed value that is not erased looks like. */
const SEALED = /"\$sealed":"[^"]/;

/** The log and the database do not belong together; the message says what to do. */
export class NotOneStore extends Error {
  override readonly name = 'NotOneStore';
}

/** The store's id as the database keeps it. */
export type StoreRecord = { readonly storeId: string };

export type IdentityPorts = {
  readonly log: Pick<EventStore, 'append' | 'readStream' | 'readAll'>;
  /** Records that are written once. */
  readonly records: {
    recordOnce(key: string, record: StoreRecord): Promise<StoreRecord>;
    get(key: string): Promise<StoreRecord | null>;
  };
  readonly keys: KeyLookup;
  readonly newId: () => string;
};

/**
 * The id that the log and the database both carry. A store that is new gets one; so does one of an older release, once its
 * keys are seen to be those of its log. Rejects with NotOneStore when one of the two is lost, or another store's, and with
 * StoreUnavailable.
 */
export const agreeOnStoreId = async (ports: IdentityPorts): Promise<string> => {
  const [inLog, inDatabase] = [await idInLog(ports), await idInDatabase(ports)];
  if (inLog !== null && inDatabase !== null) return same(inLog, inDatabase);
  if (inDatabase !== null) return refuseLostLog(ports, inDatabase);
  return inLog === null ? nameStore(ports) : completeNaming(ports, inLog);
};

/** The id of the store in the database alone, for callers that need no log. Rejects with NotOneStore where there is none. */
export const storeIdInDatabase = async (ports: Pick<IdentityPorts, 'records'>): Promise<string> => {
  const id = await idInDatabase(ports);
  if (id === null)
    throw new NotOneStore('there is no store in the database that MONGODB_URL names: "petstore api" or "petstore worker" makes one');
  return id;
};

/** Gives servers the id of the store that is copied to them; nothing else may be there. Rejects with NotOneStore. */
export const carryStoreId = async (ports: Omit<IdentityPorts, 'keys' | 'newId'>, storeId: string): Promise<void> => {
  const inDatabase = await idInDatabase(ports);
  if (inDatabase !== null && inDatabase !== storeId) throw otherStore('MONGODB_URL', inDatabase);
  const inLog = (await idInLog(ports)) ?? (await writeToLog(ports, storeId));
  if (inLog !== storeId) throw otherStore('EVENTSTOREDB_URL', inLog);
  await ports.records.recordOnce(RECORD, { storeId });
};

const nameStore = async (ports: IdentityPorts): Promise<string> => {
  const isUsed = (await ports.log.readAll(0, 1)).length > 0;
  if (isUsed && !(await areKeysOf(ports.keys, sealedIn(ports.log)))) throw lostDatabase('the log holds events, but no id');
  return record(ports, await writeToLog(ports, ports.newId()));
};

/** The log is named first. So without a name in the database it was not written yet, or the database is lost. */
const completeNaming = async (ports: IdentityPorts, inLog: string): Promise<string> => {
  const isUsed = (await ports.log.readAll(0, 1)).length > 0;
  if (!isUsed) return record(ports, inLog);
  // Another process may have named the database, and then recorded events, since it was read.
  const inDatabase = await idInDatabase(ports);
  if (inDatabase !== null) return same(inLog, inDatabase);
  // A store of an older release whose naming was interrupted has its keys still.
  if (await areKeysOf(ports.keys, sealedIn(ports.log))) return record(ports, inLog);
  throw lostDatabase(`the log carries the store id ${inLog}`);
};

const record = async (ports: IdentityPorts, storeId: string): Promise<string> =>
  same(storeId, (await ports.records.recordOnce(RECORD, { storeId })).storeId);

const idInDatabase = async ({ records }: Pick<IdentityPorts, 'records'>): Promise<string | null> =>
  (await records.get(RECORD))?.storeId ?? null;

const idInLog = async ({ log }: Pick<IdentityPorts, 'log'>): Promise<string | null> => {
  const [event] = await log.readStream(STORE_STREAM, 0, 1);
  return event ? (JSON.parse(event.data) as StoreRecord).storeId : null;
};

/** Of several processes that write at once the first one counts; answers its id. */
const writeToLog = async (ports: Pick<IdentityPorts, 'log'>, storeId: string): Promise<string> => {
  const event = { id: storeId, type: 'StoreNamed', data: JSON.stringify({ storeId } satisfies StoreRecord), metadata: '{}' };
  const { kind } = await ports.log.append(STORE_STREAM, 'none', [event]);
  const id = kind === 'appended' ? storeId : await idInLog(ports);
  if (id === null) throw new NotOneStore(`the stream ${STORE_STREAM} of the log can be neither written nor read`);
  return id;
};

async function* sealedIn(log: IdentityPorts['log']): AsyncGenerator<string> {
  for (let position = 0; ;) {
    const events = await log.readAll(position, PAGE);
    for (const { data } of events) if (SEALED.test(data)) yield data;
    const last = events.at(-1);
    if (!last) return;
    ({ position } = last);
  }
}

const same = (inLog: string, inDatabase: string): string => {
  if (inLog === inDatabase) return inLog;
  throw new NotOneStore(
    `the log at EVENTSTOREDB_URL carries the store id ${inLog}, and the database at MONGODB_URL the store id ${inDatabase}. ` +
      'Set both addresses to servers of one store, or restore both from one backup.',
  );
};

const refuseLostLog = async (ports: IdentityPorts, inDatabase: string): Promise<never> => {
  // Named by another process since the log was read: the log comes first.
  const inLog = await idInLog(ports);
  if (inLog !== null) return same(inLog, inDatabase) as never;
  throw new NotOneStore(
    `the database at MONGODB_URL carries the store id ${inDatabase}, and the log at EVENTSTOREDB_URL carries none: it is lost or another's. ` +
      "Restore EventStoreDB's backup, or set EVENTSTOREDB_URL to this store's log.",
  );
};

const lostDatabase = (log: string): NotOneStore =>
  new NotOneStore(
    `${log}, and the database at MONGODB_URL carries no store id and no keys of that log: it is lost or another's. ` +
      "Restore MongoDB's backup (store, key_seal, service_keys, personal_keys, gateway_*), or set MONGODB_URL to this store's database.",
  );

const otherStore = (setting: string, id: string): NotOneStore => new NotOneStore(`the server at ${setting} holds the store ${id}`);
