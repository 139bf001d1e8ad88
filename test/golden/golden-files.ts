import { readdirSync, readFileSync } from 'node:fs';

/** An event as it was once written: `<Type>.v<version>.json`, or `<Type>.v<version>.<form>.json` for its other forms. */
export type GoldenEvent = {
  readonly file: string;
  readonly form: string;
  readonly type: string;
  readonly schemaVersion: number;
  readonly data: unknown;
};

const FOLDER = new URL('events/', import.meta.url);
const NAME = /^(\w+)\.v(\d+)(?:\.([a-z-]+))?\.json$/;

/** Every golden event; a file whose name and content disagree is an error that names it. */
export const goldenEvents = (): readonly GoldenEvent[] =>
  readdirSync(FOLDER)
    .sort()
    .map((file) => {
      const [, type, version, form = 'complete'] = NAME.exec(file) ?? [];
      const event = JSON.parse(readFileSync(new URL(file, FOLDER), 'utf8')) as Omit<GoldenEvent, 'file' | 'form'>;
      if (event.type !== type || event.schemaVersion !== Number(version))
        throw new Error(`${file} holds ${event.type} v${event.schemaVersion}`);
      return { ...event, file, form };
    });
