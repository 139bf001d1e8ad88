import { execFile } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { ROOT } from '../servers/program.js';
import { filesOf, filesUnder } from './repository-files.js';

const PLANTED = join(ROOT, 'test/architecture/planted');
const CRUISER = join(ROOT, 'node_modules/dependency-cruiser/bin/dependency-cruiser.mjs');

type Module = { readonly source: string; readonly dependencies: readonly { readonly resolved: string }[] };
type Report = {
  readonly modules: readonly Module[];
  readonly summary: {
    readonly violations: readonly { readonly from: string; readonly to: string; readonly rule: { readonly name: string } }[];
  };
};

const cruise = (folder: string, ...parts: readonly string[]): Promise<Report> =>
  new Promise((resolve, reject) => {
    const args = [CRUISER, '--config', join(ROOT, '.dependency-cruiser.js'), '--output-type', 'json', ...parts];
    execFile(process.execPath, args, { cwd: folder, maxBuffer: 2 ** 28 }, (fault, stdout) => {
      // The exit code is the number of violations. dependency-cruiser itself has failed only if it printed no report.
      if (stdout) resolve(JSON.parse(stdout) as Report);
      else reject(fault ?? new Error('dependency-cruiser printed nothing'));
    });
  });

/** A folder of the rule file, with its allowed imports. */
type FolderRule = {
  readonly folder: string;
  readonly imports?: readonly string[];
  readonly npm?: readonly string[];
  readonly node?: readonly string[];
  readonly parts?: readonly Omit<FolderRule, 'folder'>[];
};
type Layers = readonly (readonly FolderRule[])[];
const { LAYERS } = (await import(join(ROOT, '.dependency-cruiser.js'))) as { readonly LAYERS: Layers };

/** An import between two folders, as in the diagram of docs/architecture.md. */
type Arrow = { readonly from: string; readonly to: string };

/** Returns the arrows that do not lead to a lower layer. */
const arrowsNotDownward = (layers: Layers, arrows: readonly Arrow[]): readonly string[] => {
  const layerOf = (folder: string): number => layers.findIndex((layer) => layer.some((one) => one.folder === folder));
  return arrows.filter(({ from, to }) => layerOf(from) >= layerOf(to)).map(({ from, to }) => `${from} → ${to}`);
};

const allowedArrows = (layers: Layers): readonly Arrow[] =>
  layers
    .flat()
    .flatMap(({ folder, imports = [], parts = [] }) =>
      [...imports, ...parts.flatMap((part) => part.imports ?? [])].map((to) => ({ from: folder, to })),
    );

const FOLDERS = LAYERS.flat();
const folderOf = (path: string): string | undefined => FOLDERS.find(({ folder }) => path.startsWith(`${folder}/`))?.folder;
const isOfProduct = ({ source }: Module): boolean => /^(apps|libs)\//.test(source) && !/\.(spec|fixtures)\.ts$/.test(source);

/** Returns the actual imports between folders of the product. */
const actualArrows = ({ modules }: Report): readonly Arrow[] => {
  const arrows = new Map<string, Arrow>();
  for (const { source, dependencies } of modules.filter(isOfProduct))
    for (const { resolved } of dependencies) {
      const [from = source, to] = [folderOf(source), folderOf(resolved)];
      if (to !== undefined && from !== to) arrows.set(`${from} ${to}`, { from, to });
    }
  return [...arrows.values()];
};

/** Returns the allowed packages and modules of Node that no file of their folder imports. */
const unusedImports = ({ modules }: Report): readonly string[] =>
  FOLDERS.flatMap(({ folder, npm = [], node = [], parts = [] }) => {
    const seen = modules
      .filter((one) => isOfProduct(one) && one.source.startsWith(`${folder}/`))
      .flatMap(({ dependencies }) => dependencies);
    const isSeen = (test: (resolved: string) => boolean): boolean => seen.some(({ resolved }) => test(resolved));
    const packages = [npm, ...parts.map((part) => part.npm ?? [])].flat();
    const builtIn = [node, ...parts.map((part) => part.node ?? [])].flat();
    return [
      ...packages.filter((name) => !isSeen((resolved) => resolved.includes(`node_modules/${name}/`))),
      ...builtIn.filter((name) => !isSeen((resolved) => resolved.replace('node:', '') === name)),
    ].map((name) => `${folder}: ${name}`);
  });

const isBreach = (file: string): boolean => file.includes('.breach.');

describe('the import rule', () => {
  let planted: Report;
  beforeAll(async () => {
    planted = await cruise(PLANTED, 'apps', 'libs', 'examples');
  });

  it.each(filesUnder(PLANTED).filter(isBreach).sort())('is violated by %s', (file) => {
    const { violations } = planted.summary;
    // dependency-cruiser reports only one import of a cycle.
    const reported = violations.filter(({ from, to, rule }) => from === file || (rule.name === 'no-cycle' && to === file));
    expect(reported).not.toEqual([]);
  });

  it('accepts allowed imports', () => {
    expect(planted.summary.violations.filter(({ from }) => !isBreach(from))).toEqual([]);
  });

  it('has a planted violation for each of its named rules', () => {
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
});

describe('the product', () => {
  let product: Report;
  beforeAll(async () => {
    product = await cruise(ROOT, 'apps', 'libs', 'test', 'examples');
  });

  it('follows the import rule, and every file of it is checked', () => {
    expect(product.summary.violations.map(({ from, to, rule }) => `${from} → ${to} (${rule.name})`)).toEqual([]);
    const seen = new Set(product.modules.map(({ source }) => source));
    const files = filesOf('apps', 'libs', 'examples');
    expect(files.filter((file) => /\.tsx?$/.test(file) && !seen.has(file))).toEqual([]);
    expect(seen.size).toBeGreaterThan(0);
  });

  it('imports other folders only from lower layers', () => {
    const arrows = actualArrows(product);
    expect(arrows.length).toBeGreaterThan(20);
    expect(arrowsNotDownward(LAYERS, arrows)).toEqual([]);
  });

  it('imports every package that the rule allows', () => expect(unusedImports(product)).toEqual([]));
});

describe('the layers of the rule', () => {
  it('allow imports only from lower layers', () => expect(arrowsNotDownward(LAYERS, allowedArrows(LAYERS))).toEqual([]));

  it('are reported if they allow an import from the same or a higher layer', () => {
    const layers = [
      [{ folder: 'apps/top' }],
      [
        { folder: 'libs/one', imports: ['libs/two'] },
        { folder: 'libs/two', parts: [{ imports: ['apps/top'] }] },
      ],
    ];
    expect(arrowsNotDownward(layers, allowedArrows(layers))).toEqual(['libs/one → libs/two', 'libs/two → apps/top']);
  });

  it('include each folder of apps and libs', () => {
    const folders = ['apps', 'libs', 'libs/adapters'].flatMap((part) =>
      readdirSync(join(ROOT, part), { withFileTypes: true })
        .filter((one) => one.isDirectory())
        .map(({ name }) => `${part}/${name}`),
    );
    expect(folders.filter((folder) => folder !== 'libs/adapters').sort()).toEqual(FOLDERS.map(({ folder }) => folder).sort());
  });
});
