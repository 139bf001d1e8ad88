import type { Document, MongoClient } from 'mongodb';
import { reasonOf } from '../../../eventsourcing/reason.js';
import type { Log } from '../../../eventsourcing/ports/log.port.js';

/**
 * The idle time after which a transaction is considered abandoned. A live process pauses only for milliseconds within a
 * transaction. A process that hangs and then resumes loses no data: it retries the transaction, or is rejected because it
 * has lost its lease.
 */
const ABANDONED_AFTER_MICROSECONDS = 1_000_000;

/** Selects only sessions of this process's database user, because listing those needs no additional privilege. */
const ABANDONED_SESSIONS: Document[] = [
  { $currentOp: { allUsers: false, idleSessions: true } },
  { $match: { type: 'idleSession', 'transaction.timeInactiveMicros': { $gt: ABANDONED_AFTER_MICROSECONDS } } },
];

type AbandonedSession = { readonly lsid: { readonly id: unknown } };

/**
 * Ends transactions that processes with this `appName` have left open. For up to a minute, an open transaction of a dead
 * process locks the documents that it has written. Never rejects. If the transactions cannot be ended, for example for lack
 * of a privilege, the next owner of the dead process's lease waits until the transactions expire.
 */
export const endAbandonedTransactions = async (client: MongoClient, appName: string, log: Log): Promise<void> => {
  try {
    const admin = client.db('admin');
    const pipeline = [...ABANDONED_SESSIONS, { $match: { appName } }];
    const abandoned = await admin.aggregate<AbandonedSession>(pipeline, { readConcern: { level: 'local' } }).toArray();
    if (abandoned.length === 0) return;
    await admin.command({ killSessions: abandoned.map(({ lsid: { id } }) => ({ id })) });
    log.warn({ transactions: abandoned.length }, 'ended the open transactions of a dead process');
  } catch (error) {
    log.warn({ reason: reasonOf(error) }, 'could not end the open transactions of a dead process');
  }
};
