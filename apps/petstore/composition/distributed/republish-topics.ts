import { systemClock } from '../../../../libs/adapters/system/index.js';
import { republish } from '../../../../libs/runtime/relay/republish.js';
import type { Log } from '../../logging/log.js';
import { CommandError } from '../../errors/command-error.js';
import { openStoredDatabase, type DistributedSettings } from './open-servers.js';

/** Makes the relay publish again from the first event on. Rejects with CommandError if a worker runs the relay. */
export const republishTopics = async (settings: DistributedSettings, log: Log): Promise<void> => {
  const mongo = await openStoredDatabase(settings, log);
  try {
    const owner = `republish/${process.pid}`;
    if (!(await republish({ ...mongo, documents: mongo.projectionDocuments, owner, clock: systemClock })))
      throw new CommandError('a worker is publishing: stop every worker with the role relay, then run the command again');
  } finally {
    await mongo.close();
  }
};
