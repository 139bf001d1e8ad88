import { readdirSync } from 'node:fs';
import { join, relative } from 'node:path';
import { ROOT } from '../servers/program.js';

/** The files under a folder at any depth, relative to it. */
export const filesUnder = (folder: string): readonly string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)));

/** The files of some folders of the repository, relative to its root. */
export const filesOf = (...folders: readonly string[]): readonly string[] =>
  folders.flatMap((folder) => filesUnder(join(ROOT, folder)).map((file) => join(folder, file)));
