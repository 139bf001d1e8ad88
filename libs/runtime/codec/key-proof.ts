import type { KeyLookup } from '../../eventsourcing/ports/key-vault.port.js';
import { tryToOpen } from './sealing.js';

/** A service key that every start has created since the first release. */
const REQUIRED_KEY = 'idempotency';

/**
 * Returns whether keys belong to a log with events. They do if they decrypt the first sealed value of the log
 * that is not erased. If there is none, it is enough that REQUIRED_KEY exists.
 */
export const doKeysMatchLog = async (keys: KeyLookup, sealed: Iterable<string> | AsyncIterable<string>): Promise<boolean> => {
  if (!(await keys.lookUp('service', REQUIRED_KEY))) return false;
  for await (const json of sealed) {
    const opening = await tryToOpen(keys, json);
    if (opening !== 'erased') return opening === 'opens';
  }
  return true;
};
