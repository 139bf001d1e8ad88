import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ROOT } from '../servers/program.js';
import { startStore, type TestStore } from '../servers/store.js';
import { expectProblem } from './problems.js';

let store: TestStore;
beforeAll(async () => {
  store = await startStore();
});
afterAll(() => store.stop());

const [, chapter = ''] = readFileSync(join(ROOT, 'docs/contract.md'), 'utf8').split(/^## (?:29|30) .*$/m);
const PATHS = [...chapter.matchAll(/`(?:[A-Z]+ )?(\/[^`]+)`/g)].map(([, path = '']) => path.replace('{id}', crypto.randomUUID()));

/** Proves contract 29.1, 29.2, 29.3, 29.4, 29.5, 29.7, 29.8, 29.9 and 29.10: their paths do not exist. */
describe('a path of contract chapter 29', () => {
  it.each(PATHS)('%s returns 404', async (path) => {
    const headers = { authorization: `Bearer ${await store.token('ops write:pets write:orders write:webhooks')}` };
    for (const method of ['GET', 'POST', 'PUT', 'DELETE'])
      expectProblem(await store.request(method, path, { headers, ...(method === 'GET' ? {} : { body: {} }) }), 404, 'not-found');
  });

  it('is named in each section that has an interface', () => expect(PATHS.length).toBeGreaterThan(8));
});
