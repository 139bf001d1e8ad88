import type { Change } from './shapes.js';

type State = Readonly<Record<string, unknown>>;

const isState = (value: unknown): value is State => typeof value === 'object' && value !== null && !Array.isArray(value);

/** Returns the fields of a state by their dotted paths. A list, an empty object and a withheld value are one value. */
const fieldsOf = (state: State, path = ''): readonly (readonly [string, unknown])[] =>
  Object.entries(state).flatMap(([name, value]) =>
    isState(value) && !isWithheld(value) && Object.keys(value).length > 0
      ? fieldsOf(value, `${path}${name}.`)
      : [[`${path}${name}`, value] as const],
  );

/** Returns whether a value is a personal one that the token may not read. */
export const isWithheld = (value: unknown): boolean => isState(value) && value['withheld'] === true;

/** Returns the fields that differ between two states, in the form of the changes of an event. */
export const differencesOf = (before: State, after: State): readonly Change[] => {
  const [from, to] = [new Map(fieldsOf(before)), new Map(fieldsOf(after))];
  return [...new Set([...from.keys(), ...to.keys()])]
    .filter((field) => from.has(field) !== to.has(field) || JSON.stringify(from.get(field)) !== JSON.stringify(to.get(field)))
    .map((field) => ({
      field,
      ...(from.has(field) && { from: from.get(field) }),
      ...(to.has(field) && { to: to.get(field) }),
    }));
};

/** Returns all fields of a state in the form of a list. */
export const stateFields = (state: State): readonly (readonly [string, unknown])[] => fieldsOf(state);

/** Returns a value as a text for people. */
export const valueText = (value: unknown): string => {
  if (value === null) return 'erased or empty';
  if (isWithheld(value)) return 'withheld';
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (typeof value === 'string') return value === '' ? '(empty text)' : value;
  if (Array.isArray(value) && value.every((one) => typeof one === 'string' || typeof one === 'number'))
    return value.length === 0 ? '(empty list)' : value.join(', ');
  return JSON.stringify(value) ?? '';
};
