import { describe, expect, it } from '@jest/globals';
import { classicDocument } from '../../apps/api/classic/describe/classic-document.js';
import { openapiDocument } from '../../apps/api/describe/openapi/document.js';
import { CLASSIC_OPERATIONS } from '../../apps/api/operations.js';
import { seenStatuses, statusLine } from '../servers/seen-statuses.js';

type Document = { readonly paths: Readonly<Record<string, Readonly<Record<string, { readonly responses?: object }>>>> };

/**
 * Statuses that do not depend on the operation: the rate limit, an unexpected failure, an unavailable store and an unchanged
 * entity tag. Each has a suite of its own (contract 8.2, 11.3, 4.7 and 4.8).
 */
const OF_EVERY_OPERATION: ReadonlySet<string> = new Set(['304', '429', '500', '503']);

const listedIn = (document: object, prefix = ''): readonly string[] =>
  Object.entries((JSON.parse(JSON.stringify(document)) as Document).paths).flatMap(([path, item]) =>
    Object.entries(item).flatMap(([verb, { responses = {} }]) =>
      Object.keys(responses)
        .filter((status) => !OF_EVERY_OPERATION.has(status))
        .map((status) => statusLine(verb, prefix + path, status)),
    ),
  );

describe('the statuses that an OpenAPI document lists for an operation', () => {
  const classic = classicDocument(Object.values(CLASSIC_OPERATIONS), 'https://pets.test', null);
  it.each([
    ['/openapi.json', listedIn(openapiDocument('https://pets.test'))],
    ['/api/v3/openapi.json', listedIn(classic, '/api/v3')],
  ])('have all been sent to a suite: %s', (_, listed) => {
    const seen = seenStatuses();
    expect(listed.length).toBeGreaterThan(100);
    expect(listed.filter((line) => !seen.has(line))).toEqual([]);
  });
});
