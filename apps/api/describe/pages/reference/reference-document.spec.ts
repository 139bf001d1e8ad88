import { describe, expect, it } from '@jest/globals';
import { PROBLEMS } from '../../../http/problems/problem-kinds.js';
import { OPERATIONS } from '../../../operations.js';
import { openapiDocument } from '../../openapi/document.js';
import { operationProblems } from '../../operation-problems.js';
import { referenceDocument } from './reference-document.js';

type Operation = {
  readonly operationId: string;
  readonly summary: string;
  readonly description: string;
  readonly responses: Readonly<Record<string, { readonly description: string }>>;
  readonly security: readonly object[];
  readonly 'x-position'?: number;
};
type Document = {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly servers: readonly object[];
  readonly components: { readonly securitySchemes: object };
};

const reference = referenceDocument('https://pets.test') as Document;
const openapi = openapiDocument('https://pets.test') as Document;
const operationsOf = ({ paths }: Document) => Object.values(paths).flatMap((item) => Object.values(item));

describe('the document of the reference page', () => {
  it('has the operations of the OpenAPI document', () =>
    expect(operationsOf(reference).map(({ operationId, summary }) => [operationId, summary])).toEqual(
      operationsOf(openapi).map(({ operationId, summary }) => [operationId, summary]),
    ));

  it.each(operationsOf(reference).map((operation) => [operation.operationId, operation] as const))(
    'has the problems of %s by status, each with a link to its page',
    (id, { responses }) => {
      const errors = Object.entries(responses).filter(([status]) => Number(status) >= 400);
      const linked = errors.flatMap(([status, { description }]) =>
        [...description.matchAll(/^\[[^\]]+\]\(\/errors\/([\w-]+)\): /gm)].map(([, kind = '']) => `${status} ${kind}`),
      );
      const record = OPERATIONS[id];
      expect(linked.toSorted()).toEqual(
        record &&
          operationProblems(record)
            .map((kind) => `${PROBLEMS[kind].status} ${kind}`)
            .toSorted(),
      );
    },
  );

  it('numbers the operations in the order of use', () => {
    const positions = new Map(operationsOf(reference).map((operation) => [operation.operationId, operation['x-position']]));
    expect([...positions.keys()].toSorted((one, other) => (positions.get(one) ?? 0) - (positions.get(other) ?? 0))).toEqual(
      Object.keys(OPERATIONS),
    );
    expect(Object.keys(OPERATIONS).indexOf('createOrder')).toBeLessThan(Object.keys(OPERATIONS).indexOf('callbackOrder'));
  });

  it('has a scheme for a pasted token and one to sign in, which every operation that takes a token uses (contract 32.7)', () => {
    expect(Object.keys(reference.components.securitySchemes)).toEqual(['Token', 'Sign-in']);
    expect(reference.components.securitySchemes).toMatchObject({ 'Sign-in': { flows: { authorizationCode: expect.anything() } } });
    const secured = operationsOf(reference).filter(({ security }) => security.length > 0);
    expect(secured.map(({ operationId }) => operationId)).toEqual(
      operationsOf(openapi)
        .filter(({ security }) => security.length > 0)
        .map(({ operationId }) => operationId),
    );
    for (const { security } of secured) expect(security).toEqual([{ Token: [] }, { 'Sign-in': [] }]);
  });

  it('names the scope of an operation in its description', () => {
    const descriptionOf = (id: string) => operationsOf(reference).find(({ operationId }) => operationId === id)?.description;
    expect(descriptionOf('createPet')).toContain('Requires a token with scope `write:pets`.');
    expect(descriptionOf('getInventory')).toContain('Requires a token.');
    expect(descriptionOf('getPet')).not.toContain('Requires');
  });

  it('sends requests to the origin of the page, below the path of PUBLIC_URL', () => {
    expect(reference.servers).toEqual([{ url: '/' }]);
    expect(referenceDocument('https://pets.test/shop')).toMatchObject({ servers: [{ url: '/shop' }] });
  });

  it('differs from the OpenAPI document, which has two bearer schemes', () =>
    expect(Object.keys(openapi.components.securitySchemes)).toEqual(expect.arrayContaining(['bearerAuth', 'bearerToken'])));
});
