import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from '@jest/globals';
import { SECTIONS, SETTINGS } from '../../libs/settings/setting-table.js';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const { CONFIGURATION, configurationDocument } = (await import(join(ROOT, 'scripts/configuration.mjs'))) as {
  readonly CONFIGURATION: string;
  readonly configurationDocument: (sections: typeof SECTIONS) => string;
};

const text = configurationDocument(SECTIONS);
const written = readFileSync(join(ROOT, CONFIGURATION), 'utf8');

const staleLines = (document: string): readonly string[] => {
  if (document === text) return [];
  const lines = document.split('\n');
  return ['stale: run npm run format', ...text.split('\n').filter((line) => !lines.includes(line))];
};

describe('docs/configuration.md', () => {
  it('lists the current settings', () => expect(staleLines(written)).toEqual([]));

  it('is reported as stale with another default', () => {
    const stale = staleLines(text.replace(`| \`${SETTINGS.port.default}\` |`, '| `80` |'));
    expect(stale).toEqual([expect.stringContaining('npm run format'), expect.stringMatching(/^\| `PORT`/)]);
  });

  it('has every setting once', () => {
    const names = [...text.matchAll(/^\| `(\w+)`/gm)].map(([, name]) => name);
    expect(names.sort()).toEqual(
      Object.values(SETTINGS)
        .map(({ name }) => name)
        .sort(),
    );
  });

  it('has the same number of cells in every row', () => {
    const rows = text.split('\n').filter((line) => line.startsWith('|'));
    expect(new Set(rows.map((line) => line.split('|').length))).toEqual(new Set([6]));
  });
});
