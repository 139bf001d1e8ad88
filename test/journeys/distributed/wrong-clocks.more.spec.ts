import { afterAll, afterEach, describe, it } from '@jest/globals';
import { printLine } from '../../print-line.js';
import { caller } from '../../servers/calling.js';
import { ALL_ROLES, startMember } from '../../servers/cluster.js';
import { newFolder, removeFolders } from '../../servers/data-folder.js';
import { describeIfAvailable } from '../../servers/services/describe-if-available.js';
import { wrongClocks } from '../../servers/wrong-clock.js';
import { expectPunctual, openFailingReceiver, RETRY_DELAYS } from '../punctual.js';
import { openSession, startClusterIfAvailable } from './journey.js';

const NAME = 'workers whose clocks are wrong';
const { createClock, reason } = wrongClocks();
if (!createClock) printLine(`SKIPPED: ${NAME}: ${reason}`);

const found = await startClusterIfAvailable({ workers: [], settings: { LOG_LEVEL: 'warn', WEBHOOK_RETRY_DELAYS: RETRY_DELAYS } });

describeIfAvailable(NAME, found, (cluster) => {
  /** Proves contract 20.4 and contract 24.11. */
  describe(NAME, () => {
    const session = openSession(cluster);
    const opened: { close(): Promise<void> }[] = [];
    const close = async (): Promise<void> => void (await Promise.all(opened.splice(0).map((one) => one.close())));
    afterEach(close);
    afterAll(async () => {
      await cluster.close();
      removeFolders();
    });

    (createClock ? it.each : it.skip.each)([
      { what: 'two minutes ahead', aheads: [120_000] },
      { what: 'ten minutes behind', aheads: [-600_000] },
      { what: 'two minutes ahead and ten minutes behind', aheads: [120_000, -600_000] },
    ])('deliver and charge at once, and keep pauses: $what', async ({ aheads }) => {
      const receiver = await openFailingReceiver();
      opened.push(receiver);
      const start = async (ahead: number): Promise<void> => {
        const settings = { ...cluster.settings, ...createClock?.(ahead).env };
        opened.push(await startMember({ folder: newFolder() }, ['worker', '--roles', ALL_ROLES], settings));
      };
      await Promise.all(aheads.map(start));
      const call = caller(cluster.apis[0]?.url ?? '', (await session).token);
      await receiver.register(call);
      await expectPunctual(call, receiver);
    });
  });
});
