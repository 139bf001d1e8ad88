import type { Settings } from '../../../libs/settings/settings.js';
import { requireServers } from '../composition/distributed/open-servers.js';
import { republishTopics } from '../composition/distributed/republish-topics.js';
import { createLog } from '../logging/log.js';

/**
 * Makes the relay publish the whole log again, each message with the same id. The relay runs in the workers,
 * which must be stopped before this command.
 */
export const topicsCommand = async (given: Settings): Promise<void> => {
  const settings = requireServers(given);
  await republishTopics(settings, createLog(settings.logLevel));
  process.stdout.write(
    'The relay will publish again from the first event. Start the workers; their /health/ready shows the lag of the relay.\n',
  );
};
