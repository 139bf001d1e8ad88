import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { operationProblems } from '../../apps/api/describe/operation-problems.js';
import { isOpenaiPath } from '../../apps/api/http/problems/openai-error.js';
import { OPERATIONS } from '../../apps/api/operations.js';
import { fileUpload, PIXEL } from './image-files.js';
import { startTestPetstore, type TestPetstore } from '../servers/test-petstore.js';

type Problem = { readonly instance: string };
type Responses = Readonly<
  Record<
    string,
    { readonly content?: Readonly<Record<string, { readonly examples: Readonly<Record<string, { readonly value: Problem }>> }>> }
  >
>;
type Document = { readonly paths: Readonly<Record<string, Readonly<Record<string, { readonly responses: Responses }>>>> };

/** Proves rows of contract 42.13. */
describe('the examples of 404 in the OpenAPI document', () => {
  let service: TestPetstore;
  let token: string;
  let document: Document;

  beforeAll(async () => {
    service = await startTestPetstore();
    token = await service.token('write:pets write:orders write:webhooks audit:read ops');
    document = (await service.request<Document>('GET', '/openapi.json')).json;
  });
  afterAll(() => service.stop());

  it.each(
    Object.values(OPERATIONS)
      .filter((operation) => operationProblems(operation).includes('not-found') && !isOpenaiPath(operation.path))
      .map((operation) => [operation.id, operation] as const),
  )('of %s are the responses of the service', async (_, { method, path, bodyExample, upload }) => {
    const content = document.paths[path]?.[method.toLowerCase()]?.responses['404']?.content;
    const [example] = Object.values(content?.['application/problem+json']?.examples ?? {});
    const response = await service.request(method, example?.value.instance ?? '', {
      token,
      ...(bodyExample !== undefined && { body: bodyExample }),
      ...(upload && fileUpload(PIXEL)),
    });
    expect(response.json).toEqual(example?.value);
  });

  // An error object of OpenAI does not name the address of its request (contract 41.9).
  it.each(['createOpenaiChatCompletion', 'getOpenaiModel'] as const)('of %s are the responses of the service', async (id) => {
    const { method, path, bodyExample } = OPERATIONS[id];
    const content = document.paths[path]?.[method.toLowerCase()]?.responses['404']?.content;
    const [example] = Object.values(content?.['application/json']?.examples ?? {});
    const response = await service.request(method, path.replace('{id}', 'gpt'), {
      token: await service.token('chat:write'),
      ...(bodyExample !== undefined && { body: { ...bodyExample, model: 'gpt' } }),
    });
    expect([response.status, response.json]).toEqual([404, example?.value]);
  });
});
