import { ensureStoreId, StoreMismatch, storeIdInDatabase, type IdentityPorts } from '../../../../libs/runtime/codec/store-identity.js';
import type { Clock } from '../../../../libs/eventsourcing/ports/clock.port.js';
import { StoreUnavailable } from '../../../../libs/eventsourcing/ports/event-store.port.js';
import { CommandError } from '../../errors/command-error.js';
import type { Log } from '../../logging/log.js';

/** Milliseconds between two attempts to compare the store ids. */
const RETRY_INTERVAL = 1_000;

/**
 * Returns the store id that the log and the database share. While one of them cannot be reached, logs one warning and
 * retries. Rejects with CommandError if the two store ids differ. A new store gets an id.
 */
export const waitForMatchingStoreIds = async (ports: IdentityPorts, clock: Clock, log: Log): Promise<string> => {
  for (let isLogged = false; ; isLogged = true) {
    try {
      return await ensureStoreId(ports);
    } catch (error) {
      if (!(error instanceof StoreUnavailable)) throw toCommandError(error);
      if (!isLogged) log.warn({ err: error }, 'the log or the database cannot be reached; the start waits for both');
      await new Promise<void>((resolve) => clock.after(RETRY_INTERVAL, resolve));
    }
  }
};

/** Rejects with CommandError if the database contains no store. Without this check, opening the keys would create new keys. */
export const requireStore = async (records: IdentityPorts['records']): Promise<void> => {
  try {
    await storeIdInDatabase({ records });
  } catch (error) {
    throw toCommandError(error);
  }
};

/** Converts StoreMismatch, which only the operator can fix, to a CommandError. */
const toCommandError = (error: unknown): unknown =>
  error instanceof StoreMismatch ? new CommandError(error.message, { cause: error }) : error;
