import { WrongWrappingKey, type ReencryptOptions, type ReencryptResult } from '../../../../libs/adapters/mongodb/index.js';
import type { Log } from '../../logging/log.js';
import { CommandError } from '../../errors/command-error.js';
import { openStoredDatabase, type DistributedSettings } from './open-servers.js';

/** Wraps every key in the database with the current key-encryption key (contract 31.4). */
export const reencryptKeys = async (settings: DistributedSettings, options: ReencryptOptions, log: Log): Promise<ReencryptResult> => {
  const mongo = await openStoredDatabase(settings, log);
  try {
    return await mongo.reencryptKeys(options);
  } catch (error) {
    throw error instanceof WrongWrappingKey ? new CommandError(error.message, { cause: error }) : error;
  } finally {
    await mongo.close();
  }
};
