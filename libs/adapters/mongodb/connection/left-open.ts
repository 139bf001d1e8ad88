import type { Document, MongoClient } from 'mongodb';
import { reasonOf } from '../../../eventsourcing/reason.js';
import type { Log } from '../../../eventsourcing/ports/log.port.js';

/**
 * Between two requests of its transaction a process is silent for milliseconds. One that is for longer is gone, or stands
 * still; and if it goes on, its transaction is begun again, or refused for the lease it has lost.
 */
const SILENT_MICROSECONDS = 1_000_000;

/** Only this user's, whom nobody has to allow anything for that. */
const OWN_SILENT: Document[] = [
  { $currentOp: { allUsers: false, idleSessions: true } },
  { $match: { type: 'idleSession', 'transaction.timeInactiveMicros': { $gt: SILENT_MICROSECONDS } } },
];

type SilentSession = { readonly lsid: { readonly id: unknown } };

/**
 * Ends the transactions that processes of the store with this name have begun and left open. A server keeps what a dead
 * process had written locked for a minute, and its successor would wait as long. Never rejects: a user without the right
 * to do this waits.
 */
export const endLeftOpen = async (client: MongoClient, appName: string, log: Log): Promise<void> => {
  try {
    const admin = client.db('admin');
    const asked = [...OWN_SILENT, { $match: { appName } }];
    const silent = await admin.aggregate<SilentSession>(asked, { readConcern: { level: 'local' } }).toArray();
    if (silent.length === 0) return;
    await admin.command({ killSessions: silent.map(({ lsid: { id } }) => ({ id })) });
    log.warn({ transactions: silent.length }, 'transactions of a process that is gone were ended');
  } catch (error) {
    log.warn({ reason: reasonOf(error) }, 'the transactions of a process that is gone could not be ended');
  }
};
