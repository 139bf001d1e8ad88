import { acceptChanges } from './golden-files.js';
import { documentChanges } from './golden-documents.js';
import { eventChanges } from './golden-events.js';
import { messageChanges } from './golden-messages.js';
import { stateChanges } from './golden-states.js';
import { webhookChanges } from './golden-webhooks.js';
import { interfaceChanges } from './interface-documents.js';
import { channelChanges } from './message-schemas.js';

/** The program of `npm run accept`. It ends with 1 if it refuses a change. */
const { written, refused } = acceptChanges([
  ...eventChanges(),
  ...stateChanges(),
  ...documentChanges(),
  ...messageChanges(),
  ...webhookChanges(),
  ...channelChanges(),
  ...interfaceChanges(),
]);
for (const line of written) process.stdout.write(`accepted  ${line}\n`);
for (const line of refused) process.stdout.write(`REFUSED   ${line}\n`);
process.stdout.write(`Golden files: ${written.length} written, ${refused.length} refused\n`);
if (refused.length > 0) process.exitCode = 1;
