import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';

/**
 * A stored event of a schema version. Its file is `<Type>.v<version>.json`, or `<Type>.v<version>.<form>.json`.
 */
export type GoldenEvent = {
  readonly file: string;
  readonly form: string;
  readonly type: string;
  readonly schemaVersion: number;
  readonly data: unknown;
};

/** The command that writes missing golden files and additions to schemas. It does not change accepted messages. */
export const ACCEPT_COMMAND = 'ACCEPT_MESSAGES=yes npm test -- test/golden';

/** Whether ACCEPT_COMMAND has started the tests. */
export const isAccepting = process.env['ACCEPT_MESSAGES'] === 'yes';

const HERE = new URL('.', import.meta.url);

export type GoldenFolder = { readonly folder: URL; readonly accepting: boolean };

/**
 * Returns the content of a golden file. If the file is missing and `accepting` is true, first writes the current value to the
 * file. If the file is missing and `accepting` is false, throws an error that names the file and ACCEPT_COMMAND.
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

/** Like `goldenFile`, for an object. If `accepting` is true, also adds the members that the file lacks. It changes no member. */
export const goldenObject = (
  file: string,
  current: Readonly<Record<string, unknown>>,
  where: GoldenFolder = { folder: HERE, accepting: isAccepting },
): Readonly<Record<string, unknown>> => {
  const golden = goldenFile(file, () => current, where) as Readonly<Record<string, unknown>>;
  const missing = Object.keys(current).filter((name) => !(name in golden));
  if (missing.length === 0) return golden;
  if (!where.accepting) throw new Error(`test/golden/${file} lacks ${missing.join(', ')}. To add it, run: ${ACCEPT_COMMAND}`);
  const extended = { ...current, ...golden };
  writeFileSync(new URL(file, where.folder), `${JSON.stringify(extended, null, 2)}\n`);
  return extended;
};

/** Returns the names of the files in a golden folder that are not in `expected`. */
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
