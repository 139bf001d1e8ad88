import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { CommandError } from '../../errors/command-error.js';
import { programOn, type StoreSettings } from '../../terminal/installation.js';

/**
 * The file that marks a restored folder while its erasures are incomplete. In such a folder, the keys of erased persons are
 * destroyed, but the log may lack the events of these erasures.
 */
const FILE = 'UNFINISHED-ERASURES.txt';

/** Marks a restored folder. Call this before the missing erasures are appended to its log. */
export const markUnfinishedErasures = (settings: StoreSettings): void => {
  const command = `${programOn(settings)} erasures apply FILE`;
  writeFileSync(join(settings.dataDir, FILE), `This store was restored. Run "${command}" before you start the service.\n`, {
    mode: 0o600,
    flush: true,
  });
};

/** Removes the mark. Call this after the last missing erasure was appended. */
export const unmarkErasures = (dataDir: string): void => rmSync(join(dataDir, FILE), { force: true });

/**
 * Throws CommandError if a restore was stopped before its erasures were complete. If the service started on such a folder,
 * erased persons could still sign in.
 */
export const assertErasuresFinished = (settings: StoreSettings): void => {
  if (existsSync(join(settings.dataDir, FILE)))
    throw new CommandError(
      `a restore to ${settings.dataDir} was stopped before its erasures were complete: run "${programOn(settings)} erasures apply FILE" with the newest list of "erasures export", then start the service`,
    );
};
