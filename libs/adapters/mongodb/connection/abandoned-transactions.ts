import type { Document, MongoClient } from 'mongodb';
import { reasonOf } from '../../../eventsourcing/reason.js';
import type { Log } from '../../../eventsourcing/ports/log.port.js';

/**
 * A live process pauses only milliseconds between two requests of a transaction. A longer pause means that it
 * died or hangs. If it resumes, its transaction is retried, or rejected because it has lost the lease.
 */
const SILENT_MICROSECONDS = 1_000_000;

/** Matches sessions of this user only, which needs no additional right. */
const ABANDONED_SESSIONS: Document[] = [
  { $currentOp: { allUsers: false, idleSessions: true } },
  { $match: { type: 'idleSession', 'transaction.timeInactiveMicros': { $gt: SILENT_MICROSECONDS } } },
];

type AbandonedSession = { readonly lsid: { readonly id: unknown } };

/**
 * Ends transactions that processes with this `appName` left open. The server locks the writes of a dead
 * process for a minute, and its successor would wait as long. Never rejects: a user without the required
 * right has to wait.
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
