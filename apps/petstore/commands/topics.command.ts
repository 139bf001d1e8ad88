import type { Settings } from '../../../libs/settings/settings.js';
import { requireServers } from '../composition/distributed/open-servers.js';
import { republishTopics } from '../composition/distributed/republish-topics.js';
import { createLog } from '../logging/log.js';

/** Has the workers publish the whole log again: what is told then has the ids that it had. */
export const topicsCommand = async (given: Settings): Promise<void> => {
  const settings = requireServers(given);
  await republishTopics(settings, createLog(settings.logLevel));
  process.stdout.write('The relay begins again with the first event. Start the workers; /health/ready shows how far it is behind.\n');
};
