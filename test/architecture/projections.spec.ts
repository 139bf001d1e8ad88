import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from '@jest/globals';
import type { Projection } from '../../libs/eventsourcing/projection.js';
import { petsProjection } from '../../libs/projections/pets.projection.js';
import { projections } from '../../libs/projections/projections.js';

const FOLDER = fileURLToPath(new URL('../../libs/projections', import.meta.url));

type Exports = Readonly<Record<string, unknown>>;

const isProjection = (exported: unknown): exported is Projection =>
  typeof exported === 'object' && exported !== null && 'collection' in exported && 'on' in exported;

/** Returns a message for each unlisted projection of a file. If the file has no projection, returns one message. */
const missingIn = (listed: readonly Projection[], file: string, exports: Exports): readonly string[] => {
  const declared = Object.entries(exports).filter(([, exported]) => isProjection(exported));
  if (declared.length === 0) return [`${file} exports no projection: declare one with projection()`];
  return declared
    .filter(([, exported]) => !listed.includes(exported as Projection))
    .map(([name]) => `no read model is built from ${file}: add ${name} to the list in libs/projections/projections.ts`);
};

describe('the list of projections', () => {
  it('has the projection of every *.projection.ts', async () => {
    const files = readdirSync(FOLDER).filter((file) => file.endsWith('.projection.ts'));
    expect(files.length).toBeGreaterThan(3);
    const missing: string[] = [];
    for (const file of files) missing.push(...missingIn(projections, file, (await import(join(FOLDER, file))) as Exports));
    expect(missing).toEqual([]);
  });

  it('has each name once, because the name identifies the stored documents', () => {
    const names = projections.map(({ collection }) => collection.name);
    expect(names).toEqual([...new Set(names)]);
  });

  it('is reported if it lacks a projection, or if a *.projection.ts exports none', () => {
    expect(missingIn([], 'pets.projection.ts', { petsProjection })).toEqual([
      'no read model is built from pets.projection.ts: add petsProjection to the list in libs/projections/projections.ts',
    ]);
    expect(missingIn([], 'pets.projection.ts', { other: 1 })).toEqual([
      'pets.projection.ts exports no projection: declare one with projection()',
    ]);
  });
});
