import type { ClientSession, MongoClient, TransactionOptions } from 'mongodb';
import { isCommitUnknown, isServerSelectionTimeout, isTransient } from './failures.js';

/** With these options, a committed transaction survives the loss of any one server (contract 24.1). */
const DURABLE: TransactionOptions = {
  readConcern: { level: 'snapshot' },
  writeConcern: { w: 'majority', journal: true },
  readPreference: 'primary',
};

/** Maximum number of attempts of a transaction, and of a commit whose response was lost. */
const MAX_ATTEMPTS = 10;
/** Milliseconds: the maximum of the first wait. It doubles with each further wait, up to LONGEST_WAIT. */
const SHORTEST_WAIT = 5;
const LONGEST_WAIT = 200;

/**
 * Waits before the next attempt of a transaction, so that a conflicting transaction of another process can end. The wait is
 * random, so that the two processes do not repeat their transactions at the same time.
 */
const waitAfter = (attempt: number): Promise<void> => {
  const longest = Math.min(LONGEST_WAIT, SHORTEST_WAIT * 2 ** (attempt - 1));
  return new Promise((resolve) => setTimeout(resolve, (longest * (1 + Math.random())) / 2));
};

const commit = async (session: ClientSession): Promise<void> => {
  for (let attempt = 1; ; attempt++) {
    try {
      return await session.commitTransaction();
    } catch (error) {
      // A commit whose outcome is unknown may be repeated. The server returns the outcome of the first commit.
      if (!isCommitUnknown(error) || isServerSelectionTimeout(error) || attempt === MAX_ATTEMPTS) throw error;
    }
  }
};

const runAttempt = async <T>(session: ClientSession, work: (session: ClientSession) => Promise<T>): Promise<T> => {
  session.startTransaction(DURABLE);
  try {
    const result = await work(session);
    await commit(session);
    return result;
  } catch (error) {
    // A failed abort is ignored. If the connection is lost, the server aborts the transaction later.
    if (session.inTransaction()) await session.abortTransaction().catch(() => undefined);
    throw error;
  }
};

/**
 * Runs `work` in a transaction. `work` must be repeatable, because it runs again after a write conflict or a
 * change of the primary. An error that `work` throws aborts the transaction.
 */
export const inTransaction = async <T>(client: MongoClient, work: (session: ClientSession) => Promise<T>): Promise<T> => {
  const session = client.startSession();
  try {
    for (let attempt = 1; ; attempt++) {
      try {
        return await runAttempt(session, work);
      } catch (error) {
        if (!isTransient(error) || isServerSelectionTimeout(error) || attempt === MAX_ATTEMPTS) throw error;
        await waitAfter(attempt);
      }
    }
  } finally {
    await session.endSession();
  }
};
