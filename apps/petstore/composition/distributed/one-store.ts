import { ensureStoreId, StoreMismatch, storeIdInDatabase, type IdentityPorts } from '../../../../libs/runtime/codec/store-identity.js';
import type { Clock } from '../../../../libs/eventsourcing/ports/clock.port.js';
import { StoreUnavailable } from '../../../../libs/eventsourcing/ports/event-store.port.js';
import { CommandError } from '../../errors/command-error.js';
import type { Log } from '../../logging/log.js';

/** Milliseconds between two attempts to compare the store ids. */
const RETRY_INTERVAL = 1_000;

/**
 * Resolves when the log and the database have the same store id. Waits while one of them cannot be reached.
 */
export const waitForMatchingStoreIds = async (ports: IdentityPorts, clock: Clock, log: Log): Promise<void> => {
  for (let isLogged = false; ; isLogged = true) {
    try {
      await ensureStoreId(ports);
      return;
    } catch (error) {
      if (!(error instanceof StoreUnavailable)) throw toCommandError(error);
      if (!isLogged) log.warn({ err: error }, 'waiting for the log and the database, one of which cannot be reached');
      await new Promise<void>((resolve) => clock.after(RETRY_INTERVAL, resolve));
    }
  }
};

/** Rejects with CommandError if the database contains no store, so that no keys are created in it. */
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
