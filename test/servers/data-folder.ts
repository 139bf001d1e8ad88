import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const created = new Set<string>();

/** Creates an empty folder for a store. `removeFolders` removes it. */
export const newFolder = (): string => {
  const folder = mkdtempSync(join(tmpdir(), 'petstore-journey-'));
  created.add(folder);
  return folder;
};

/** Removes every folder that this spec file has created. */
export const removeFolders = (): void => {
  for (const folder of created) rmSync(folder, { recursive: true, force: true });
  created.clear();
};
