import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gunzipSync, gzipSync } from 'node:zlib';

/** The folder with the golden data of each version. */
const VERSIONS = fileURLToPath(new URL('versions/', import.meta.url));

/** The command that writes the golden data of the version in package.json. */
export const ACCEPT_VERSION = 'ACCEPT_VERSION=yes npm run test:more -- golden/versions';

/** Whether ACCEPT_VERSION has started the tests. */
export const isAcceptingVersion = process.env['ACCEPT_VERSION'] === 'yes';

/** The file with the digests of all files of a version, as `sha256sum` prints them. */
const SUMS = 'SHA256SUMS';

/** Returns the versions that have golden data. */
export const goldenVersions = (folder = VERSIONS): readonly string[] => readdirSync(folder).sort();

/** Returns the folder of a version's golden data. */
export const goldenFolder = (version: string, folder = VERSIONS): string => join(folder, version);

/** Throws when a version has no golden data. */
export const requireVersion = (version: string, folder = VERSIONS): void => {
  if (!existsSync(join(goldenFolder(version, folder), SUMS)))
    throw new Error(`version ${version} has no golden data in test/golden/versions. To write it, run: ${ACCEPT_VERSION}`);
};

const sumsOf = (folder: string): string =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name !== SUMS)
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
    .sort()
    .map(
      (file) =>
        `${createHash('sha256')
          .update(readFileSync(join(folder, file)))
          .digest('hex')}  ${file}\n`,
    )
    .join('');

/** Returns the SHA256SUMS lines of files that were altered, added or removed after the version's data was written. */
export const alteredFiles = (folder: string): readonly string[] => {
  const linesOf = (text: string): ReadonlySet<string> => new Set(text.split('\n'));
  const [written, current] = [linesOf(readFileSync(join(folder, SUMS), 'utf8')), linesOf(sumsOf(folder))];
  return [...[...written].filter((line) => !current.has(line)), ...[...current].filter((line) => !written.has(line))];
};

/** Writes the digests of a version's golden data, by which `alteredFiles` detects later changes. */
export const sealVersion = (folder: string): void => writeFileSync(join(folder, SUMS), sumsOf(folder));

/** Compresses the files of a folder into another. */
export const packFiles = (from: string, to: string, names: readonly string[]): void => {
  mkdirSync(to, { recursive: true });
  for (const name of names) writeFileSync(join(to, `${name}.gz`), gzipSync(readFileSync(join(from, name)), { level: 9 }));
};

/** Extracts the compressed files of a folder into another. */
export const unpackFiles = (from: string, to: string): void => {
  for (const name of readdirSync(from).filter((file) => file.endsWith('.gz')))
    writeFileSync(join(to, name.slice(0, -'.gz'.length)), gunzipSync(readFileSync(join(from, name))));
};

/** Writes a value as JSON with one member per line, so that `git diff` shows changes. */
export const writeJson = (file: string, value: unknown): void => writeFileSync(file, `${JSON.stringify(value, null, 1)}\n`);

/** Reads a file that `writeJson` has written. */
export const readJson = <T>(file: string): T => JSON.parse(readFileSync(file, 'utf8')) as T;

/** Writes a value as compressed JSON, which `zcat` prints. */
export const packJson = (file: string, value: unknown): void =>
  writeFileSync(file, gzipSync(`${JSON.stringify(value, null, 1)}\n`, { level: 9 }));

/** Reads a file that `packJson` has written. */
export const unpackJson = <T>(file: string): T => JSON.parse(String(gunzipSync(readFileSync(file)))) as T;
