import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';

/**
 * A stored event of some version. Its file is `<Type>.v<version>.json`, or `<Type>.v<version>.<form>.json`.
 */
export type GoldenEvent = {
  readonly file: string;
  readonly form: string;
  readonly type: string;
  readonly schemaVersion: number;
  readonly data: unknown;
};

/** The command that writes missing golden files and additions to schemas. It changes nothing that is accepted. */
export const ACCEPT_COMMAND = 'ACCEPT_MESSAGES=yes npm test -- test/golden';

/** Whether ACCEPT_COMMAND runs the tests. */
export const isAccepting = process.env['ACCEPT_MESSAGES'] === 'yes';

const HERE = new URL('.', import.meta.url);

export type GoldenFolder = { readonly folder: URL; readonly accepting: boolean };

/**
 * Reads a golden file of this folder. When a missing file is accepted, writes it first with the current value.
 * Otherwise throws an error that names the file and the command.
 */
export const goldenFile = (
  file: string,
  current: () => unknown,
  { folder, accepting }: GoldenFolder = { folder: HERE, accepting: isAccepting },
): unknown => {
  const url = new URL(file, folder);
  if (!existsSync(url)) {
    if (!accepting) throw new Error(`test/golden/${file} is missing. To write it with the current value, run: ${ACCEPT_COMMAND}`);
    writeFileSync(url, `${JSON.stringify(current(), null, 2)}\n`);
  }
  return JSON.parse(readFileSync(url, 'utf8'));
};

/** Returns the files of a folder of golden files that are not expected. */
export const unexpectedFiles = (folder: string, expected: readonly string[]): readonly string[] =>
  readdirSync(new URL(`${folder}/`, HERE)).filter((file) => !expected.includes(file));

const FOLDER = new URL('events/', HERE);
const NAME = /^(\w+)\.v(\d+)(?:\.([a-z-]+))?\.json$/;

/** Returns the file name of a stored event. */
export const goldenEventName = ({ type, schemaVersion, form }: Pick<GoldenEvent, 'type' | 'schemaVersion' | 'form'>): string =>
  `${type}.v${schemaVersion}.${form === 'complete' ? '' : `${form}.`}json`;

/** Reads all golden events; throws when a file's name does not match its content. */
export const goldenEvents = (): readonly GoldenEvent[] =>
  readdirSync(FOLDER)
    .sort()
    .map((file) => {
      const [, type, version, form = 'complete'] = NAME.exec(file) ?? [];
      const event = JSON.parse(readFileSync(new URL(file, FOLDER), 'utf8')) as Omit<GoldenEvent, 'file' | 'form'>;
      if (event.type !== type || event.schemaVersion !== Number(version))
        throw new Error(`${file} contains ${event.type} v${event.schemaVersion}`);
      return { ...event, file, form };
    });
