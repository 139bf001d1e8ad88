import { dirname } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { filesOf } from './repository-files.js';

/** The maximum number of source files in a folder. */
const MAX_FILES = 12;

const isSource = (file: string): boolean => /\.ts$/.test(file) && !/\.(spec|fixtures)\.ts$/.test(file);

const crowdedFolders = (files: readonly string[]): readonly string[] => {
  const counts = new Map<string, number>();
  for (const folder of files.filter(isSource).map((file) => dirname(file))) counts.set(folder, (counts.get(folder) ?? 0) + 1);
  return [...counts].filter(([, count]) => count > MAX_FILES).map(([folder, count]) => `${folder}: ${count}`);
};

const sources = filesOf('apps', 'libs');

describe('a folder of apps or libs', () => {
  it(`has at most ${MAX_FILES} source files`, () => {
    expect(sources.filter(isSource).length).toBeGreaterThan(100);
    expect(crowdedFolders(sources)).toEqual([]);
  });

  it('is reported with one file more', () => {
    const files = Array.from({ length: MAX_FILES + 1 }, (_, nth) => `libs/drawer/file-${nth}.ts`);
    expect(crowdedFolders(files)).toEqual(['libs/drawer: 13']);
    expect(crowdedFolders(files.slice(1))).toEqual([]);
  });

  it('can have any number of specs, fixtures and folders', () => {
    const names = Array.from({ length: MAX_FILES }, (_, nth) => `libs/pets/file-${nth}`);
    expect(crowdedFolders(names.flatMap((name) => [`${name}.ts`, `${name}.spec.ts`, `${name}.fixtures.ts`, `${name}/inside.ts`]))).toEqual(
      [],
    );
  });
});
