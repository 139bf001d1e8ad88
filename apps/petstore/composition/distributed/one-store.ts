import { agreeOnStoreId, NotOneStore, storeIdInDatabase, type IdentityPorts } from '../../../../libs/runtime/codec/store-identity.js';
import type { Clock } from '../../../../libs/eventsourcing/ports/clock.port.js';
import { StoreUnavailable } from '../../../../libs/eventsourcing/ports/event-store.port.js';
import { CommandError } from '../../errors/command-error.js';
import type { Log } from '../../logging/log.js';

/** Milliseconds between two tries to reach the servers whose ids are compared. */
const RETRY_INTERVAL = 1_000;

/** Resolves once the log and the database are seen to be of one store; waits while one of them cannot be reached. */
export const waitForOneStore = async (ports: IdentityPorts, clock: Clock, log: Log): Promise<void> => {
  for (let isLogged = false; ; isLogged = true) {
    try {
      await agreeOnStoreId(ports);
      return;
    } catch (error) {
      if (!(error instanceof StoreUnavailable)) throw toCommandError(error);
      if (!isLogged) log.warn({ err: error }, 'the start waits until the log and the database can be reached');
      await new Promise<void>((resolve) => clock.after(RETRY_INTERVAL, resolve));
    }
  }
};

/** Rejects in words where the database holds no store: keys made there would be nobody's. */
export const requireStore = async (records: IdentityPorts['records']): Promise<void> => {
  try {
    await storeIdInDatabase({ records });
  } catch (error) {
    throw toCommandError(error);
  }
};

/** Servers that do not belong together are the operator's to change. */
const toCommandError = (error: unknown): unknown =>
  error instanceof NotOneStore ? new CommandError(error.message, { cause: error }) : error;
