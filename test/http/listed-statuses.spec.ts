import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { operationProblems } from '../../apps/api/describe/operation-problems.js';
import { PROBLEMS } from '../../apps/api/http/problems/problem-kinds.js';
import type { OperationRecord } from '../../apps/api/http/operation.js';
import { CLASSIC_OPERATIONS, OPERATIONS } from '../../apps/api/operations.js';
import type { RequestOptions } from '../servers/client.js';
import { startTestPetstore, type TestPetstore } from '../servers/test-petstore.js';

const SCOPES = 'read:pets write:pets write:orders write:webhooks ops audit:read chat:write';
const MIB = 1_048_576;

let service: TestPetstore;
let token: string;
beforeAll(async () => {
  service = await startTestPetstore();
  token = await service.token(SCOPES);
});
afterAll(() => service.stop());

/** Returns the path with an id for each parameter. */
const pathOf = ({ path }: OperationRecord): string =>
  path.replace('{stream}', `pet-${randomUUID()}`).replace(/\{[^}]+\}/g, () => (path.startsWith('/api/v3') ? '1' : randomUUID()));

const lists = (operation: OperationRecord, status: number): boolean =>
  operationProblems(operation).some((kind) => PROBLEMS[kind].status === status);
const isClassic = ({ path }: OperationRecord): boolean => path.startsWith('/api/v3');

/** A query that breaks a rule of its value, in an operation without a body. */
const outOfRange = ({ path }: OperationRecord): string => {
  if (path === '/v1/audit/find') return 'text=';
  if (path === '/v1/ops/live') return 'seconds=-1';
  return /^\/v1\/audit\/(pets|orders|payments|adoptions|users)\//.test(path) ? 'revision=-1' : 'limit=0';
};

type Case = readonly [
  name: string,
  status: number,
  applies: (operation: OperationRecord) => boolean,
  options: RequestOptions,
  query?: (operation: OperationRecord) => string,
];

const CASES: readonly Case[] = [
  ['with a body of 2 MiB', 413, (operation) => !operation.upload && lists(operation, 413), { raw: `"${'x'.repeat(2 * MIB)}"` }],
  ['with a body in CSV', 415, (operation) => lists(operation, 415), { raw: 'a,b', headers: { 'content-type': 'text/csv' } }],
  [
    'with a value out of its range in the query',
    422,
    ({ body, upload, method, query, ...operation }) =>
      method === 'GET' && query !== undefined && lists({ method, query, ...operation }, 422),
    {},
    outOfRange,
  ],
  ['whose client accepts only XML', 406, isClassic, { headers: { accept: 'application/xml' } }],
];

describe.each(CASES)('a request %s', (_, status, applies, options, query) => {
  it.each(
    [...Object.values(OPERATIONS), ...Object.values(CLASSIC_OPERATIONS)]
      .filter(applies)
      .map((operation) => [operation.id, operation] as const),
  )(`gets ${status} from %s, as the document lists (contract 4.11)`, async (_id, operation) => {
    const path = [pathOf(operation), query?.(operation)].filter(Boolean).join('?');
    expect((await service.request(operation.method, path, { token, ...options })).status).toBe(status);
  });
});
