import { statSync } from 'node:fs';
import { join } from 'node:path';
import { createToken, inSeconds, waitForProcesses, type Drill, type Seen } from './drill.js';

/** Milliseconds for which the load continues after the backup, before all containers are killed. */
const LAST_MINUTE = 60_000;

/**
 * Backs up the servers under load. A minute later, kills all containers, removes every volume, and restores the backup. Throws if
 * a change that was acknowledged before the backup is missing.
 */
export const loseEverything = async ({ project, observer, table }: Drill): Promise<Seen> => {
  const backup = join(project.deploy, '..', 'backup');
  await observer.begin();
  await observer.waitForAcknowledged(100);
  await observer.markBackup();
  const begun = await observer.now();
  // Here a protocol server replaces EventStoreDB. It must be paused: its files are inconsistent if they change during the copy.
  table.log(await project.script('backup.sh', '--pause', backup));
  await observer.markBackup();
  const ended = await observer.now();
  if ((statSync(backup).mode & 0o777) !== 0o700) throw new Error('others can read the backup');
  while ((await observer.now()) < ended + LAST_MINUTE) await observer.waitForAcknowledged(20);
  await project.compose('kill');
  const lost = await observer.now();
  // A stopping load repeats its requests in flight until they are answered. The account does not include these requests.
  const stopped = observer.stop();
  const webhooks = await observer.webhooks();
  table.log(
    (await project.script('restore.sh', '--replace', '--erasures', join(backup, 'erasures.json'), backup)).split('\n').at(-1) ?? '',
  );
  await waitForProcesses({ observer });
  const restored = await observer.now();
  await stopped;
  await observer.connect({ token: await createToken(project, 'read:pets write:pets write:orders write:webhooks ops') });
  const missing = await observer.missing();
  const { beforeBackup, duringBackup, afterBackup, lastEvent, faults, ledger } = missing;
  for (const fault of [...faults, ...ledger.slice(0, 5)]) table.log(fault);
  const share = ({ acknowledged, missing: count }: typeof beforeBackup): string => `${count} of ${acknowledged}`;
  const notes = [
    `backup in ${inSeconds(ended - begun)}, restored and ready in ${inSeconds(restored - lost)}`,
    `missing of what was acknowledged before the backup ${share(beforeBackup)}, during it ${share(duringBackup)}, in the ${inSeconds(lost - ended)} after it ${share(afterBackup)}`,
    `seen by: last event of the log ${lastEvent}; GET of a missing resource is 404; ${ledger.length} entries of the gateway's ledger disagree with the log`,
    `webhooks sent again: ${(await observer.webhooks()) - webhooks}`,
  ].join('; ');
  if (beforeBackup.missing > 0 || faults.length > 0) throw new Error(`the restored store differs from the backup: ${notes}`);
  await observer.forget();
  return { notes };
};
