import type { ClientSession, MongoClient, TransactionOptions } from 'mongodb';
import { isCommitUnknown, isGone, isTransient } from './failures.js';

/** "majority, journaled": what a transaction wrote survives the loss of any one server. */
const DURABLE: TransactionOptions = {
  readConcern: { level: 'snapshot' },
  writeConcern: { w: 'majority', journal: true },
  readPreference: 'primary',
};

/** How often a transaction that came to nothing is begun again, and an unanswered commit asked again. */
const ATTEMPTS = 10;

const commit = async (session: ClientSession): Promise<void> => {
  for (let attempt = 1; ; attempt++) {
    try {
      return await session.commitTransaction();
    } catch (error) {
      // A commit may be asked for twice: the server answers the second as it did the first.
      if (!isCommitUnknown(error) || isGone(error) || attempt === ATTEMPTS) throw error;
    }
  }
};

const attempted = async <T>(session: ClientSession, work: (session: ClientSession) => Promise<T>): Promise<T> => {
  session.startTransaction(DURABLE);
  try {
    const result = await work(session);
    await commit(session);
    return result;
  } catch (error) {
    // What cannot be aborted for want of a connection is given up by the server itself.
    if (session.inTransaction()) await session.abortTransaction().catch(() => undefined);
    throw error;
  }
};

/**
 * Does all of `work` or nothing. It is done again from the start when it met another's writes or the server changed
 * hands, so it must not count on being called once. What it throws itself ends the transaction.
 */
export const inTransaction = async <T>(client: MongoClient, work: (session: ClientSession) => Promise<T>): Promise<T> => {
  const session = client.startSession();
  try {
    for (let attempt = 1; ; attempt++) {
      try {
        return await attempted(session, work);
      } catch (error) {
        if (!isTransient(error) || isGone(error) || attempt === ATTEMPTS) throw error;
      }
    }
  } finally {
    await session.endSession();
  }
};
