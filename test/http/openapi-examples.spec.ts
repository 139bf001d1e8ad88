import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { operationProblems } from '../../apps/api/describe/operation-problems.js';
import { OPERATIONS } from '../../apps/api/operations.js';
import { startStore, type TestStore } from '../servers/store.js';

type Problem = { readonly instance: string };
type Responses = Readonly<
  Record<
    string,
    { readonly content?: Readonly<Record<string, { readonly examples: Readonly<Record<string, { readonly value: Problem }>> }>> }
  >
>;
type Document = { readonly paths: Readonly<Record<string, Readonly<Record<string, { readonly responses: Responses }>>>> };

describe('the examples of 404 in the OpenAPI document', () => {
  let store: TestStore;
  let token: string;
  let document: Document;

  beforeAll(async () => {
    store = await startStore();
    token = await store.token('write:pets write:orders write:webhooks');
    document = (await store.request<Document>('GET', '/openapi.json')).json;
  });
  afterAll(() => store.stop());

  it.each(
    Object.values(OPERATIONS)
      .filter((operation) => operationProblems(operation).includes('not-found'))
      .map((operation) => [operation.id, operation] as const),
  )('of %s are the responses of the service', async (_, { method, path, bodyExample }) => {
    const content = document.paths[path]?.[method.toLowerCase()]?.responses['404']?.content;
    const [example] = Object.values(content?.['application/problem+json']?.examples ?? {});
    const response = await store.request(method, example?.value.instance ?? '', {
      token,
      ...(bodyExample !== undefined && { body: bodyExample }),
    });
    expect(response.json).toEqual(example?.value);
  });
});
