import { readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { ROOT } from '../servers/program.js';
import { filesOf } from './repository-files.js';

/** Words that do not describe a purpose. */
const BANNED = ['manager', 'helper', 'helpers', 'util', 'utils', 'impl', 'abstract'];
const BANNED_FOLDERS = ['common', 'shared', 'utils', 'helpers', 'core', 'types'];

/** Splits a name into words: `petOrderID` and `pet-order-id` are both pet, order, id. */
const wordsOf = (name: string): string[] =>
  name
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replace(/([A-Z])([A-Z][a-z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z0-9]+/);

const isBanned = (name: string): boolean => {
  const words = wordsOf(name);
  return (
    words.some((word) => BANNED.includes(word)) ||
    words[0] === 'base' ||
    words.at(-1) === 'base' ||
    words.at(-1) === 'service' ||
    /^I[A-Z][a-z]/.test(name)
  );
};

const exportedNames = (source: string): string[] =>
  [...source.matchAll(/^export (?:declare )?(?:abstract )?(?:async )?(?:const|let|function\*?|class|interface|type|enum) (\w+)/gm)].map(
    ([, name]) => name,
  );

const isProduct = (file: string): boolean => /^(apps|libs)\/.*(?<!\.(spec|fixtures))\.ts$/.test(file);

const files = filesOf('apps', 'libs', 'test', 'examples').filter(
  (file) => file.endsWith('.ts') && !file.startsWith('test/architecture/planted/'),
);

describe('a name', () => {
  it.each([
    'OrderManager',
    'dateHelper',
    'StringUtils',
    'PetServiceImpl',
    'AbstractStore',
    'BaseController',
    'EventBase',
    'PetsService',
    'IClock',
    'pet.service',
  ])('like %s is rejected', (name) => {
    expect(isBanned(name)).toBe(true);
  });

  it.each(['serviceKey', 'databasePath', 'Ids', 'InventoryQuery', 'unavailable', 'implicitFlow', 'systemClock'])(
    'like %s is accepted',
    (name) => {
      expect(isBanned(name)).toBe(false);
    },
  );
});

describe('the names of the repository', () => {
  it('are all checked', () => {
    expect(files.length).toBeGreaterThan(20);
    expect(exportedNames(readFileSync(join(ROOT, 'libs/eventsourcing/ports/clock.port.ts'), 'utf8'))).toEqual(['Clock']);
    expect(exportedNames('export async function a() {}\nexport abstract class B {}\nexport type C = 1;\n')).toEqual(['a', 'B', 'C']);
  });

  it('of files have no banned word', () => {
    expect(files.filter((file) => isBanned(basename(file, '.ts')))).toEqual([]);
  });

  it('of files are in kebab-case, with the role after a dot', () => {
    expect(files.filter((file) => !/^[a-z0-9]+(-[a-z0-9]+)*(\.[a-z0-9]+(-[a-z0-9]+)*)*\.ts$/.test(basename(file)))).toEqual([]);
  });

  it('of folders describe a purpose', () => {
    expect(
      files.filter((file) =>
        dirname(file)
          .split('/')
          .some((folder) => BANNED_FOLDERS.includes(folder)),
      ),
    ).toEqual([]);
  });

  it('of exports have no banned word', () => {
    const banned = files.flatMap((file) =>
      exportedNames(readFileSync(join(ROOT, file), 'utf8'))
        .filter(isBanned)
        .map((name) => `${file}: ${name}`),
    );
    expect(banned).toEqual([]);
  });

  it('of files end in .module.ts exactly if they contain a Nest module', () => {
    const declaring = files.filter((file) => isProduct(file) && /^@Module\(/m.test(readFileSync(join(ROOT, file), 'utf8')));
    expect(declaring).toEqual(files.filter((file) => file.endsWith('.module.ts')));
    expect(declaring).not.toEqual([]);
  });

  it('include index.ts only for adapters', () => {
    const barrels = files.filter((file) => basename(file) === 'index.ts');
    expect(barrels.filter((file) => !/^libs\/adapters\/[^/]+\/index\.ts$/.test(file))).toEqual([]);
    expect(barrels).not.toEqual([]);
  });
});
