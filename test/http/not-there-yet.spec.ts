import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ROOT } from '../servers/program.js';
import { startTestPetstore, type TestPetstore } from '../servers/test-petstore.js';
import { expectProblem } from './problems.js';

let service: TestPetstore;
beforeAll(async () => {
  service = await startTestPetstore();
});
afterAll(() => service.stop());

const [, chapter = ''] = readFileSync(join(ROOT, 'docs/contract.md'), 'utf8').split(/^## (?:29|30) .*$/m);
const PATHS = [...chapter.matchAll(/`(?:[A-Z]+ )?(\/[^`]+)`/g)].map(([, path = '']) => path.replace('{id}', crypto.randomUUID()));

/** Proves contract 29.10: its paths do not exist. */
describe('a path of contract chapter 29', () => {
  it.each(PATHS)('%s returns 404', async (path) => {
    const headers = { authorization: `Bearer ${await service.token('ops write:pets write:orders write:webhooks')}` };
    for (const method of ['GET', 'POST', 'PUT', 'DELETE'])
      expectProblem(await service.request(method, path, { headers, ...(method === 'GET' ? {} : { body: {} }) }), 404, 'not-found');
  });

  it('is the one that the chapter names', () => expect(PATHS).toHaveLength(1));
});
