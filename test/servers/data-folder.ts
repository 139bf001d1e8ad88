import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const made = new Set<string>();

/** A new empty folder for one store; `removeFolders` takes it away again. */
export const newFolder = (): string => {
  const folder = mkdtempSync(join(tmpdir(), 'petstore-journey-'));
  made.add(folder);
  return folder;
};

/** Removes every folder that this file's spec has made. */
export const removeFolders = (): void => {
  for (const folder of made) rmSync(folder, { recursive: true, force: true });
  made.clear();
};
