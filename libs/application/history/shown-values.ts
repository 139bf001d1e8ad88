import type { KeyVault } from '../../eventsourcing/ports/key-vault.port.js';
import { isSealed } from '../../eventsourcing/sealed.js';
import { openSealed } from '../../runtime/codec/sealing.js';

/** A JSON value in two forms. In `stored`, personal values are sealed. In `opened`, these values are decrypted. */
export type OpenedValue = { readonly stored: unknown; readonly opened: unknown };

/** Shown in place of a personal value that the caller may not see. The value of an erased person is null for every caller. */
const WITHHELD = { withheld: true };

/** Decrypts the personal values of a JSON text. The values of an erased person become null. */
export const openJson = async (keys: KeyVault, json: string): Promise<OpenedValue> => ({
  stored: JSON.parse(json) as unknown,
  opened: JSON.parse(await openSealed(keys, json)) as unknown,
});

type Members = Readonly<Record<string, unknown>>;

const isObject = (value: unknown): value is Members => typeof value === 'object' && value !== null && !Array.isArray(value);

/** Returns the value as a caller may see it: personal values are shown only with `isPersonalShown`. */
export const shownValue = ({ stored, opened }: OpenedValue, isPersonalShown: boolean): unknown => {
  if (isPersonalShown || opened === null) return opened;
  if (isSealed(stored)) return WITHHELD;
  if (Array.isArray(stored) && Array.isArray(opened))
    return stored.map((item, at) => shownValue({ stored: item, opened: (opened as unknown[])[at] }, isPersonalShown));
  if (!isObject(stored) || !isObject(opened)) return opened;
  return Object.fromEntries(
    Object.keys(stored).map((name) => [name, shownValue({ stored: stored[name], opened: opened[name] }, isPersonalShown)]),
  );
};

/** A difference of one field. `from` is absent if the field is new, and `to` is absent if the field is gone. */
export type FieldChange = { readonly field: string; readonly from?: unknown; readonly to?: unknown };

/**
 * Returns the differences between two values in the order of their fields. The name of a nested field is a dotted path. A
 * list is one field. If `before` is null, every field is new. If `after` is null, every field is gone.
 */
export const changesBetween = (before: OpenedValue | null, after: OpenedValue | null, isPersonalShown: boolean): readonly FieldChange[] => {
  const [old, current] = [leavesOf(before), leavesOf(after)];
  return [...new Set([...old.keys(), ...current.keys()])].flatMap((field) => {
    const [from, to] = [old.get(field), current.get(field)];
    if (from && to && JSON.stringify(from.opened) === JSON.stringify(to.opened)) return [];
    return [{ field, ...(from && { from: shownValue(from, isPersonalShown) }), ...(to && { to: shownValue(to, isPersonalShown) }) }];
  });
};

/** Returns the fields of a value and of its nested objects, by their dotted paths. The map is empty if the value is null. */
const leavesOf = (value: OpenedValue | null): ReadonlyMap<string, OpenedValue> => {
  const leaves = new Map<string, OpenedValue>();
  const collect = ({ stored, opened }: OpenedValue, path: string): void => {
    if (!isObject(stored) || !isObject(opened) || isSealed(stored)) return void leaves.set(path, { stored, opened });
    for (const name of Object.keys(stored)) collect({ stored: stored[name], opened: opened[name] }, path === '' ? name : `${path}.${name}`);
  };
  if (value) collect(value, '');
  return leaves;
};
