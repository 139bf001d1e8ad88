import { describe, expect, it } from '@jest/globals';
import { declaresAll, fallbackOf, replacedVersions, type StoredVersion } from './read-model-versions.js';

/** Versions of a read model, oldest first. Those with `*` are in service. */
const versions = (...names: readonly string[]): readonly StoredVersion[] =>
  names.map((name) => ({
    declared: { version: Number.parseInt(name), fields: { kind: 'text' }, cells: ['tenant'] },
    inService: name.endsWith('*'),
  }));

describe('the versions of a read model', () => {
  it.each([
    ['is itself in service', versions('1*', '2*'), 2, undefined],
    ['is filled for the first time', versions('1'), 1, undefined],
    ['is filled, and older ones are in service', versions('1*', '2*', '3', '4'), 4, 2],
    ['is of an older release, and only a newer one is in service', versions('1', '2*'), 1, undefined],
    ['is not stored', versions('1*'), 2, 1],
  ])('have a fallback if the requested one %s', (_, stored, requested, expected) => {
    expect(fallbackOf(stored, requested)?.declared.version).toBe(expected);
  });

  it.each([
    ['fields', ['kind'], true],
    ['fields', ['kind', 'tenant'], false],
    ['fields', ['toString'], false],
    ['cells', ['tenant'], true],
    ['cells', ['kind'], false],
    ['cells', [], true],
  ] as const)('answer a query only if they declare all of its %s: %j', (needed, names, expected) => {
    expect(versions('1').map(({ declared }) => declaresAll(declared, needed, names))).toEqual([expected]);
  });

  it.each([
    [versions('1*', '2'), []],
    [versions('1*', '2', '3*', '4'), [1, 2]],
    [versions('1', '2'), []],
  ])('are replaced if they are older than the newest one in service', (stored, expected) => {
    expect(replacedVersions(stored).map(({ declared }) => declared.version)).toEqual(expected);
  });
});
