import { afterAll, afterEach, describe, it } from '@jest/globals';
import { printLine } from '../print-line.js';
import { caller } from '../servers/calling.js';
import { newFolder, removeFolders } from '../servers/data-folder.js';
import { runPetstore, STAFF_SCOPES, startServiceProcess } from '../servers/process.js';
import { endPrograms } from '../servers/program.js';
import { wrongClocks } from '../servers/wrong-clock.js';
import { expectPunctual, openFailingReceiver, RETRY_DELAYS, type FailingReceiver } from './punctual.js';

const { createClock, reason } = wrongClocks();
if (!createClock) printLine(`SKIPPED: a folder whose clock is set: ${reason}`);
const itWithClock = createClock ? it : it.skip;

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

let receiver: FailingReceiver;
afterEach(async () => {
  await endPrograms();
  await receiver.close();
});
afterAll(removeFolders);

/** A token that is valid whether the clock is a day ahead or not. */
const longToken = async (dataDir: string): Promise<string> =>
  (await runPetstore(['token', '--scope', STAFF_SCOPES, '--expires-in', '864000'], { dataDir })).stdout.trim();

/** A service on a folder, whose clock is `ahead` of the right time at first. */
const start = async (ahead: number) => {
  const [dataDir, clock] = [newFolder(), createClock?.(ahead)];
  if (!clock) throw new Error(reason);
  receiver = await openFailingReceiver();
  const run = () => startServiceProcess({ dataDir, env: { LOG_LEVEL: 'warn', WEBHOOK_RETRY_DELAYS: RETRY_DELAYS, ...clock.env } });
  const service = await run();
  const token = await longToken(dataDir);
  return { clock, run, service, call: caller(service.url, token), token };
};

/** Proves contract 20.4 and contract 24.11. */
describe('a folder', () => {
  itWithClock('delivers and charges at once, and keeps pauses, while its clock is set back by an hour', async () => {
    const { clock, call } = await start(0);
    await receiver.register(call);
    await receiver.listPet(call, 'Early');
    await receiver.untilStored(call);
    clock.set(-HOUR);
    await receiver.expectPause('Early');
    await expectPunctual(call, receiver);
  });

  itWithClock('delivers and charges at once, and keeps pauses, while its clock is a day ahead and is corrected', async () => {
    const { clock, call } = await start(DAY);
    await receiver.register(call);
    await receiver.listPet(call, 'Early');
    await receiver.untilStored(call);
    clock.set(0);
    await receiver.expectPause('Early');
    await expectPunctual(call, receiver);
  });

  itWithClock('waits no longer than the pause after a start with a corrected clock', async () => {
    const { clock, run, service, call, token } = await start(DAY);
    await receiver.register(call);
    await receiver.listPet(call, 'Early');
    await receiver.untilStored(call);
    await service.stop();
    clock.set(0);
    const again = await run();
    await receiver.untilAttempts('Early', 2);
    await expectPunctual(caller(again.url, token), receiver);
  });
});
