import { describe, expect, it } from '@jest/globals';
import { NO_DATA } from '../../libs/contracts/message-schema.js';
import { messageOf, publishedTypes } from './golden-messages.js';
import { samples } from './events.samples.js';
import { PRIVATE_FIELDS } from './private-fields.js';

type Members = Readonly<Record<string, unknown>>;

const isObject = (value: unknown): value is Members => typeof value === 'object' && value !== null && !('$sealed' in value);

/** Returns the paths of the values in a sample. Items of a list have the path of the list. */
const pathsIn = (value: unknown, path: readonly string[] = []): readonly (readonly string[])[] =>
  isObject(value) ? Object.entries(value).flatMap(([name, part]) => pathsIn(part, [...path, name])) : [path];

const changedValue = (value: unknown): unknown => {
  if (typeof value === 'number') return value + 1;
  return typeof value === 'boolean' ? !value : 'changed';
};

const changedAt = (value: unknown, [name, ...rest]: readonly string[]): unknown => {
  if (name === undefined) return changedValue(value);
  const copy = structuredClone(value) as Record<string, unknown>;
  copy[name] = changedAt(copy[name], rest);
  return copy;
};

/** Returns the fields of an event that can change without a change of its message. */
const unmappedFields = (type: string, contract: (typeof publishedTypes)[number][1]['contract']): readonly string[] => {
  const sample: unknown = samples[type as keyof typeof samples].complete;
  const message = JSON.stringify(messageOf(type, contract));
  const unmapped = pathsIn(sample).filter((path) => JSON.stringify(messageOf(type, contract, changedAt(sample, path))) === message);
  return [...new Set(unmapped.map((path) => path.filter((name) => !/^\d+$/.test(name)).join('.')))].toSorted();
};

const covers = (field: string, path: string): boolean => path === field || path.startsWith(`${field}.`);

const withData = publishedTypes.filter(([, { spec }]) => spec.schema !== NO_DATA);

/** Proves contract 22.5 and contract 22.6. */
describe('every field of an event', () => {
  it.each(withData)('is in the message, or is listed as private: %s', (type, { contract }) => {
    const [unmapped, listed] = [unmappedFields(type, contract), PRIVATE_FIELDS[type] ?? []];
    const missing = unmapped.filter((path) => !listed.some((field) => covers(field, path)));
    expect(missing.map((path) => `${path}: publish it in libs/contracts/topics, or list it in test/golden/private-fields.ts`)).toEqual([]);
    const outdated = listed.filter((field) => !unmapped.some((path) => covers(field, path)));
    expect(outdated.map((field) => `${field} is published or gone: remove it from test/golden/private-fields.ts`)).toEqual([]);
  });

  it('is only listed as private for an event type with a message', () => {
    const types = withData.map(([type]) => type);
    expect(Object.keys(PRIVATE_FIELDS).filter((type) => !types.includes(type))).toEqual([]);
  });
});
