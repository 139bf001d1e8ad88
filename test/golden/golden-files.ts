import { readdirSync, readFileSync } from 'node:fs';

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

const FOLDER = new URL('events/', import.meta.url);
const NAME = /^(\w+)\.v(\d+)(?:\.([a-z-]+))?\.json$/;

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
