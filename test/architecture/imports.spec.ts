import { execFile } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, it } from '@jest/globals';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const PLANTED = join(ROOT, 'test/architecture/planted');
const CRUISER = join(ROOT, 'node_modules/dependency-cruiser/bin/dependency-cruiser.mjs');

type Report = {
  readonly modules: readonly { readonly source: string }[];
  readonly summary: {
    readonly violations: readonly { readonly from: string; readonly to: string; readonly rule: { readonly name: string } }[];
  };
};

const cruise = (folder: string, ...parts: readonly string[]): Promise<Report> =>
  new Promise((resolve, reject) => {
    const args = [CRUISER, '--config', join(ROOT, '.dependency-cruiser.js'), '--output-type', 'json', ...parts];
    execFile(process.execPath, args, { cwd: folder, maxBuffer: 2 ** 28 }, (fault, stdout) => {
      // It ends with the number of violations, which is what is looked for; without a report it has failed.
      if (stdout) resolve(JSON.parse(stdout) as Report);
      else reject(fault ?? new Error('dependency-cruiser said nothing'));
    });
  });

const filesUnder = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1));

const isBreach = (file: string): boolean => file.includes('.breach.');

describe('the import rule', () => {
  let planted: Report;
  beforeAll(async () => {
    planted = await cruise(PLANTED, 'apps', 'libs', 'examples');
  }, 30_000);

  it.each(filesUnder(PLANTED).filter(isBreach).sort())('is broken by %s', (file) => {
    const { violations } = planted.summary;
    // Of a circle only one link is named.
    const reported = violations.filter(({ from, to, rule }) => from === file || (rule.name === 'no-cycle' && to === file));
    expect(reported).not.toEqual([]);
  });

  it('lets through what it allows', () => {
    expect(planted.summary.violations.filter(({ from }) => !isBreach(from))).toEqual([]);
  });

  it('is broken in every way that it names', () => {
    const names = new Set(planted.summary.violations.map(({ rule }) => rule.name));
    expect([...names].sort()).toEqual([
      'no-cycle',
      'no-development-package-in-the-product',
      'no-fixtures-in-the-product',
      'no-import-of-a-spec',
      'no-undeclared-package',
      'no-unresolvable',
      'not-in-allowed',
    ]);
  });

  it('is kept by the product, of which every file is seen', async () => {
    const product = await cruise(ROOT, 'apps', 'libs', 'test', 'examples');
    expect(product.summary.violations.map(({ from, to, rule }) => `${from} → ${to} (${rule.name})`)).toEqual([]);
    const seen = new Set(product.modules.map(({ source }) => source));
    const files = ['apps', 'libs', 'examples'].flatMap((part) => filesUnder(join(ROOT, part)).map((file) => `${part}/${file}`));
    expect(files.filter((file) => file.endsWith('.ts') && !seen.has(file))).toEqual([]);
    expect(seen.size).toBeGreaterThan(0);
  }, 60_000);
});
