import type { ClientSession, MongoClient, TransactionOptions } from 'mongodb';
import { isCommitUnknown, isServerSelectionTimeout, isTransient } from './failures.js';

/** A committed transaction survives the loss of any one server (contract 24.1: majority, journaled). */
const DURABLE: TransactionOptions = {
  readConcern: { level: 'snapshot' },
  writeConcern: { w: 'majority', journal: true },
  readPreference: 'primary',
};

/** Maximum attempts of a transaction, and of a commit without an answer. */
const MAX_ATTEMPTS = 10;

const commit = async (session: ClientSession): Promise<void> => {
  for (let attempt = 1; ; attempt++) {
    try {
      return await session.commitTransaction();
    } catch (error) {
      // A commit may be repeated: the server answers the second one as it did the first.
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
    // If the connection is lost, the server itself aborts the transaction later.
    if (session.inTransaction()) await session.abortTransaction().catch(() => undefined);
    throw error;
  }
};

/**
 * Runs `work` in a transaction. After a write conflict or a change of the primary it runs again, so `work`
 * must be repeatable. An error thrown by `work` aborts the transaction.
 */
export const inTransaction = async <T>(client: MongoClient, work: (session: ClientSession) => Promise<T>): Promise<T> => {
  const session = client.startSession();
  try {
    for (let attempt = 1; ; attempt++) {
      try {
        return await runAttempt(session, work);
      } catch (error) {
        if (!isTransient(error) || isServerSelectionTimeout(error) || attempt === MAX_ATTEMPTS) throw error;
      }
    }
  } finally {
    await session.endSession();
  }
};
