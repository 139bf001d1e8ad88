import { readdirSync } from 'node:fs';
import { DOMAIN_EVENTS } from '../../libs/domain/events.js';
import { samples } from './events.samples.js';
import { compareMembers, GOLDEN, goldenText, readGolden, type GoldenChange, type MemberDifference } from './golden-files.js';

/**
 * A stored event of a schema version. Its file is `<Type>.v<version>.json`, or `<Type>.v<version>.<form>.json`. A form that ends with
 * `plus-<fields>` has optional fields that were added within the schema version.
 */
export type GoldenEvent = {
  readonly file: string;
  readonly form: string;
  readonly type: string;
  readonly schemaVersion: number;
  readonly data: unknown;
};

type Declaration = { readonly schemaVersion: number; readonly optional?: readonly string[] };

const NAME = /^(\w+)\.v(\d+)(?:\.([a-z-]+))?\.json$/;
const ADDED = /(^|-)plus-[a-z-]+$/;

/** Returns the file name of a stored event. */
export const goldenEventName = ({ type, schemaVersion, form }: Pick<GoldenEvent, 'type' | 'schemaVersion' | 'form'>): string =>
  `${type}.v${schemaVersion}.${form === 'complete' ? '' : `${form}.`}json`;

/** Reads all golden events; throws when a file's name does not match its content. */
export const goldenEvents = (): readonly GoldenEvent[] =>
  readdirSync(new URL('events/', GOLDEN))
    .sort()
    .map((file) => {
      const [, type, version, form = 'complete'] = NAME.exec(file) ?? [];
      const event = readGolden(`events/${file}`) as Omit<GoldenEvent, 'file' | 'form'>;
      if (event.type !== type || event.schemaVersion !== Number(version))
        throw new Error(`${file} contains ${event.type} v${event.schemaVersion}`);
      return { ...event, file, form };
    });

/** Returns the form without the optional fields that were added to it: `complete` for `plus-nickname`. */
export const originalForm = (form: string): string => form.replace(ADDED, '') || 'complete';

/** Each sample as a stored event of the current version. */
export const currentEvents = (declarations: Readonly<Record<string, Declaration>> = DOMAIN_EVENTS): readonly GoldenEvent[] =>
  Object.entries(samples).flatMap(([type, forms]) =>
    Object.entries<unknown>(forms).map(([form, data]) => {
      const event = { type, schemaVersion: declarations[type]?.schemaVersion ?? 0, form, data };
      return { ...event, file: goldenEventName(event) };
    }),
  );

const sizeOf = ({ added, changed }: MemberDifference): number => added.length + changed.length;

/**
 * Compares an event of the current shape with the golden events. Returns null if one of them has this shape. An added field is accepted
 * in a file of its own, because the log has events without the field.
 */
export const eventChange = (
  event: GoldenEvent,
  golden: readonly GoldenEvent[],
  { optional = [] }: Pick<Declaration, 'optional'>,
): GoldenChange | null => {
  const { type, schemaVersion, form, data } = event;
  const older = golden.filter(
    (one) => one.type === type && one.schemaVersion === schemaVersion && originalForm(one.form) === originalForm(form),
  );
  const [nearest] = older.map((one) => compareMembers(one.data, data)).toSorted((one, other) => sizeOf(one) - sizeOf(other));
  if (!nearest) return { file: `events/${event.file}`, breaks: [], additions: ['the file'], text: textOf(event) };
  if (sizeOf(nearest) === 0) return null;
  const { added, changed } = nearest;
  // Members of list items have the path of the list.
  const isDeclared = (path: string): boolean => optional.includes(path.replaceAll(/\.\d+(?=\.|$)/g, ''));
  const remedy = `Logs contain ${type} of the older shape: raise its schemaVersion in libs/domain/events.ts, and add an upcaster`;
  const breaks = [
    ...changed.map((path) => `data.${path} has changed or is gone. ${remedy}.`),
    ...added.filter((path) => !isDeclared(path)).map((path) => `data.${path} is new. ${remedy}; or list it there as \`optional\`.`),
  ];
  const file = goldenEventName({ type, schemaVersion, form: `${form === 'complete' ? '' : `${form}-`}plus-${added.map(kebab).join('-')}` });
  return { file: `events/${file}`, breaks, additions: added, text: textOf(event) };
};

const textOf = ({ type, schemaVersion, data }: GoldenEvent): string => goldenText({ type, schemaVersion, data });

const kebab = (path: string): string => (path.split('.').at(-1) ?? '').replaceAll(/(?<=[a-z])(?=[A-Z])/g, '-').toLowerCase();

/** Returns the changes of all events. */
export const eventChanges = (): readonly GoldenChange[] => {
  const [golden, declarations]: [readonly GoldenEvent[], Readonly<Record<string, Declaration>>] = [goldenEvents(), DOMAIN_EVENTS];
  return currentEvents().flatMap((event) => eventChange(event, golden, declarations[event.type] ?? {}) ?? []);
};
