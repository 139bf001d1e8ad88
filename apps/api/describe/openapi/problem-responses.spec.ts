import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { isOpenaiPath } from '../../http/problems/openai-error.js';
import { PROBLEMS } from '../../http/problems/problem-kinds.js';
import type { ProblemBody } from '../../http/problems/problem.js';
import type { OperationRecord } from '../../http/operation.js';
import { operationProblems } from '../operation-problems.js';
import { OPERATORS } from '../../http/admission/access.js';
import { OPERATIONS } from '../../operations.js';
import { as, OTHER_TENANT, runningApi, type RunningApi } from '../../testing/running-api.fixtures.js';

type Response = {
  readonly $ref?: string;
  readonly content?: Readonly<Record<string, { readonly examples: Readonly<Record<string, { readonly value: ProblemBody }>> }>>;
};
type Document = {
  readonly paths: Readonly<Record<string, Readonly<Record<string, { readonly responses: Readonly<Record<string, Response>> }>>>>;
  readonly components: { readonly responses: Readonly<Record<string, Response>> };
};

/** Proves rows of contract 42.2, 42.11 and 42.21. */
describe('the error responses in the OpenAPI document (contract 4.11)', () => {
  let api: RunningApi;
  let document: Document;

  beforeAll(async () => {
    api = await runningApi();
    document = (await api.inject({ url: '/openapi.json' })).json();
  });
  afterAll(() => api.app.close());

  const responseOf = ({ path, method }: OperationRecord, status: number): Response =>
    document.paths[path]?.[method.toLowerCase()]?.responses[status] ?? {};
  const examplesIn = ({ content }: Response): readonly (readonly [string, ProblemBody])[] =>
    Object.entries(content?.['application/problem+json']?.examples ?? {}).map(([name, { value }]) => [name, value] as const);
  const kindOf = ({ type }: ProblemBody): string => type.replace('https://pets.test/errors/', '');

  it('have an example of every kind of problem in the shared responses', () => {
    const shared = Object.values(document.components.responses).flatMap((response) => examplesIn(response).map(([name]) => name));
    expect(shared.sort()).toEqual(Object.keys(PROBLEMS).sort());
  });

  it.each(Object.values(OPERATIONS).map((operation) => [operation.id, operation] as const))(
    'have, for %s, examples with the path of the operation, and with the title and status of the problem',
    (_, operation) => {
      const path = new RegExp(`^${operation.path.replaceAll(/\{\w+\}/g, '[^/]+')}$`);
      for (const [status, response] of Object.entries(document.paths[operation.path]?.[operation.method.toLowerCase()]?.responses ?? {}))
        for (const [, example] of examplesIn(response)) {
          expect(example.instance).toMatch(path);
          expect(example).toMatchObject({ status: Number(status), title: PROBLEMS[kindOf(example) as keyof typeof PROBLEMS].title });
        }
    },
  );

  it.each(
    // Errors of OpenAI have no detail. `test/http/openapi-examples.spec.ts` compares their examples with responses.
    Object.values(OPERATIONS)
      .filter(({ path }) => !isOpenaiPath(path))
      .flatMap((operation) =>
        operationProblems(operation)
          .filter((kind) => kind === 'not-found' || kind === 'conflict')
          .map((kind) => [operation.id, kind, operation] as const),
      ),
  )('have, for %s, details of %s problems that differ from the general cause', (_, kind, operation) => {
    const reasons = examplesIn(responseOf(operation, PROBLEMS[kind].status)).filter(([, example]) => kindOf(example) === kind);
    expect(reasons.length).toBeGreaterThan(0);
    for (const [, { detail }] of reasons) expect(detail).not.toBe(PROBLEMS[kind].cause);
  });

  it.each(
    Object.values(OPERATIONS)
      .filter(({ path, idForm }) => path.includes('{') && !idForm)
      .map((operation) => [operation.id, operation] as const),
  )('have, for %s, the problem that the service sends for an invalid id', async (_, operation) => {
    const [[, example] = ['', undefined]] = examplesIn(responseOf(operation, 400));
    const { method, bodyExample } = operation;
    const response = await api.inject({
      method,
      url: operation.path.replaceAll(/\{\w+\}/g, '42'),
      headers: {
        ...(operation.access.documented === OPERATORS.documented ? as('ops') : as('staff')),
        ...(operation.upload && { 'content-type': 'multipart/form-data; boundary=x' }),
      },
      ...(operation.body && { payload: bodyExample as object }),
      ...(operation.upload && { payload: '--x\r\nContent-Disposition: form-data; name="file"\r\n\r\nx\r\n--x--\r\n' }),
    });
    expect(response.json()).toEqual(example);
  });

  it.each([
    ['Unauthorized', { authorization: 'Bearer expired' }],
    ['Forbidden', { ...as('bound'), 'x-tenant-id': OTHER_TENANT }],
    ['BadRequest', { 'x-tenant-id': 'mine' }],
  ])('have, in the shared response %s, a problem that the service sends', async (name, headers) => {
    const { detail, errors } = (await api.inject({ url: '/v1/pets', headers })).json<ProblemBody>();
    const examples = examplesIn(document.components.responses[name] ?? {}).map(([, example]) => example);
    expect(examples).toContainEqual(expect.objectContaining({ detail, ...(errors && { errors }) }));
  });

  it('have, for createOrder, the problem that the service sends for an invalid body', async () => {
    const { createOrder } = OPERATIONS;
    const response = await api.inject({ method: 'POST', url: '/v1/orders', payload: { userId: 'ann', quantity: 101 } });
    const examples = createOrder ? examplesIn(responseOf(createOrder, 422)) : [];
    expect(examples.map(([, example]) => example)).toContainEqual(response.json());
  });
});
