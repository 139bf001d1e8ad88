import { describe, expect, it } from '@jest/globals';
import { RE2JS } from 're2js';
import { CLASSIC_OPERATION_CONTROLLERS } from '../../classic/classic-controllers.js';
import { classicDocument } from '../../classic/describe/classic-document.js';
import { operationsOf } from '../../http/nest/operation.decorator.js';
import { documentedPattern } from '../../http/patterns.js';
import { dtoSchemas } from '../../http/validation/schemas.js';
import { openapiDocument } from './document.js';
import { openapi31Document } from './document-3-1.js';
import { referencesIn } from '../../testing/references.fixtures.js';

type JsonObject = Readonly<Record<string, unknown>>;

const URL = 'https://pets.test';
const classicOperations = Object.values(operationsOf(CLASSIC_OPERATION_CONTROLLERS));
const toJson = (document: object): JsonObject => JSON.parse(JSON.stringify(document)) as JsonObject;
const DOCUMENTS: readonly (readonly [string, JsonObject])[] = [
  ['/openapi.json', toJson(openapiDocument(URL))],
  ['/openapi-3.1.json', toJson(openapi31Document(URL))],
  ['/api/v3/openapi.json', toJson(classicDocument(classicOperations, URL, null))],
];

/** Returns every object inside a value with its path. */
const objectsIn = (value: unknown, path = ''): readonly (readonly [string, JsonObject])[] => {
  if (typeof value !== 'object' || value === null) return [];
  const inside = Object.entries(value).flatMap(([name, part]) => objectsIn(part, `${path}/${name}`));
  return Array.isArray(value) ? inside : [[path, value as JsonObject], ...inside];
};

/** Returns whether the object at a path is a schema or contains schemas, and neither an example nor a set of properties by name. */
const isSchema = (path: string): boolean => !/\/(?:examples?|value)(?:\/|$)|\/(?:properties|schemas)$/.test(path);

/** Returns the names of types that generators derive twice: from a property with listed values, or from a schema with that name. */
const duplicateTypesIn = (document: JsonObject): readonly string[] => {
  const { schemas } = document['components'] as { readonly schemas: Readonly<Record<string, JsonObject>> };
  const derived = Object.entries(schemas).flatMap(([name, { properties = {} }]) =>
    Object.entries(properties as Readonly<Record<string, JsonObject>>)
      .filter(([, schema]) => 'enum' in schema)
      .map(([property]) => name + property.charAt(0).toUpperCase() + property.slice(1)),
  );
  const all = [...Object.keys(schemas), ...derived];
  return all.filter((name, nth) => all.indexOf(name) < nth);
};

type Discriminator = { readonly propertyName: string; readonly mapping: Readonly<Record<string, string>> };

const schemaAt = (document: JsonObject, reference: string): JsonObject =>
  reference
    .slice('#/'.length)
    .split('/')
    .reduce<JsonObject>((place, name) => place[name] as JsonObject, document);

/** Returns the listed values of a property of a schema. */
const valuesOf = ({ properties }: JsonObject, property: string): readonly string[] =>
  ((properties as Readonly<Record<string, JsonObject>>)[property]?.['enum'] ?? []) as readonly string[];

/** Returns every object inside these parts of a document, and inside everything to which they refer. */
const reachableFrom = (document: JsonObject, parts: readonly JsonObject[]): readonly JsonObject[] => {
  const found = new Set<string>();
  const inside = (part: JsonObject): readonly JsonObject[] =>
    objectsIn(part).flatMap(([, object]) => {
      const { $ref } = object;
      if (typeof $ref !== 'string' || found.has($ref)) return [object];
      found.add($ref);
      return [object, ...inside(schemaAt(document, $ref))];
    });
  return parts.flatMap(inside);
};

const patternsIn = (value: unknown): readonly string[] => [
  ...new Set(objectsIn(value).flatMap(([, { pattern }]) => (typeof pattern === 'string' ? [pattern] : []))),
];

/** Proves contract 25.3. */
describe.each(DOCUMENTS)('for generators of clients, %s', (_, document) => {
  it('has no character in a pattern that some language or generator cannot write', () => {
    const patterns = patternsIn(document);
    expect(patterns.length).toBeGreaterThan(3);
    expect(patterns.filter((pattern) => /[^ -~]|\\[ux/]/.test(pattern))).toEqual([]);
  });

  it('has no `[` inside a class of a pattern, which .NET and Java read as a class inside the class', () => {
    const classes = patternsIn(document).flatMap((pattern) => pattern.replaceAll(/\\./gs, '').match(/\[[^\]]*\]/g) ?? []);
    expect(classes.length).toBeGreaterThan(3);
    expect(classes.filter((text) => text.slice(1).includes('['))).toEqual([]);
  });

  it('has no broken reference', () => {
    for (const [path, target] of referencesIn(document)) expect([path, target]).toEqual([path, expect.anything()]);
  });

  it('has a type beside listed values', () => {
    const listed = objectsIn(document).filter(([path, schema]) => isSchema(path) && (Array.isArray(schema['enum']) || 'const' in schema));
    expect(listed.length).toBeGreaterThan(5);
    expect(listed.filter(([, { type }]) => type === undefined).map(([path]) => path)).toEqual([]);
  });

  it('has null only as one of two types', () => {
    const nullable = objectsIn(document).filter(([path, { type }]) => isSchema(path) && JSON.stringify(type)?.includes('"null"'));
    expect(nullable.filter(([, { type }]) => !Array.isArray(type) || type.length !== 2).map(([path]) => path)).toEqual([]);
    expect(objectsIn(document).filter(([path, schema]) => isSchema(path) && 'anyOf' in schema)).toEqual([]);
  });

  it('has no names of schemas that collide in generated code', () => {
    const names = Object.keys((document['components'] as { readonly schemas: object }).schemas);
    // In Go, `NewPet` is the function that makes a `Pet`, and `Client` is the client itself.
    expect(names.filter((name) => names.includes(name.replace(/^New/, '')) && name.startsWith('New'))).toEqual([]);
    expect(names).not.toContain('Client');
    expect(duplicateTypesIn(document)).toEqual([]);
  });

  it('has a discriminator at each choice of kinds, which names a kind for every value', () => {
    for (const [path, schema] of objectsIn(document)) {
      if (!isSchema(path) || !('oneOf' in schema)) continue;
      const { oneOf, discriminator, properties } = schema as {
        oneOf: readonly JsonObject[];
        discriminator?: Discriminator;
        properties?: JsonObject;
      };
      expect([path, discriminator]).toEqual([path, expect.anything()]);
      const { propertyName = '', mapping = {} } = discriminator ?? {};
      expect([path, properties]).toEqual([path, expect.objectContaining({ [propertyName]: expect.anything() as unknown })]);
      expect(new Set(Object.values(mapping))).toEqual(new Set(oneOf.map(({ $ref }) => $ref)));
      const values = Object.values(mapping).flatMap((reference) => valuesOf(schemaAt(document, reference), propertyName));
      expect([path, values.filter((value) => !(value in mapping))]).toEqual([path, []]);
    }
  });

  it('has open schemas of responses, webhooks and callbacks', () => {
    const sent = [...objectsIn(document)].filter(([path]) => /\/(?:responses\/[^/]+|webhooks\/[^/]+\/post\/requestBody)$/.test(path));
    expect(sent.length).toBeGreaterThan(20);
    const closed = reachableFrom(
      document,
      sent.map(([, part]) => part),
    ).filter(({ additionalProperties }) => additionalProperties === false);
    expect(closed).toEqual([]);
  });

  it('has no default in a body, because generators would make the property required', () => {
    const { schemas } = document['components'] as { readonly schemas: Readonly<Record<string, JsonObject>> };
    const properties = Object.values(schemas).flatMap((schema) => Object.values((schema['properties'] ?? {}) as JsonObject));
    expect(properties.filter((property) => 'default' in (property as JsonObject))).toEqual([]);
  });

  it('has JSON first, and no name both in the query and in a form', () => {
    for (const [path, { requestBody, parameters = [] }] of objectsIn(document)) {
      const content = (requestBody as { readonly content?: JsonObject } | undefined)?.content;
      if (!content) continue;
      const [first = '', ...others] = Object.keys(content);
      expect([path, others.filter((type) => type === 'application/json')]).toEqual([path, []]);
      const { schema } = content[first] as { readonly schema: { readonly $ref?: string; readonly properties?: object } };
      const form =
        (first === 'application/json' ? {} : schema.$ref ? schemaAt(document, schema.$ref)['properties'] : schema.properties) ?? {};
      const names = (parameters as readonly JsonObject[]).map(({ name }) => name);
      expect([path, Object.keys(form).filter((name) => names.includes(name))]).toEqual([path, []]);
    }
  });

  it('has no set of listed values, for which the generator for Java writes code that does not compile', () => {
    const sets = objectsIn(document).filter(([, { uniqueItems, items }]) => uniqueItems === true && 'enum' in (items as JsonObject));
    expect(sets).toEqual([]);
  });

  it('has named bodies of webhooks and callbacks, with a tag of their own', () => {
    const operations = objectsIn(document).filter(([, { operationId }]) => typeof operationId === 'string');
    const [received, own] = [true, false].map((isReceived) =>
      operations.filter(([path]) => /^\/webhooks\/|\/callbacks\//.test(path) === isReceived),
    );
    const tags = new Set(own?.flatMap(([, { tags: names }]) => names as readonly string[]));
    for (const [path, { tags: names, requestBody }] of received ?? []) {
      expect([path, (names as readonly string[]).filter((name) => tags.has(name))]).toEqual([path, []]);
      expect(JSON.stringify(requestBody)).toContain('"schema":{"$ref"');
    }
  });
});

/** Characters that the rules of the service know and documented patterns leave out, and some others. */
const PIECES = ['a', '.', ' ', '\n', '\u0085', '\u00a0', '\u1680', '\u2003', '\u2028', '\u2029', '\u3000', '\ufeff', '😀'];
const TEXTS = ['', ...PIECES, ...PIECES.flatMap((one) => PIECES.map((two) => one + two))].flatMap((text) => [
  text,
  `b${text}c`,
  `b${text}c@example.com`,
]);

describe('a documented pattern', () => {
  const patterns = patternsIn(dtoSchemas()).filter((pattern) => /\\u/.test(pattern));

  it('exists for each pattern with a character above U+00FF', () => expect(patterns).toHaveLength(3));

  it.each(patterns)('accepts every text that the service accepts: %s', (pattern) => {
    const accepted = TEXTS.filter((text) => new RegExp(pattern, 'u').test(text));
    expect(accepted.length).toBeGreaterThan(10);
    const [own, re2] = [new RegExp(documentedPattern(pattern), 'u'), RE2JS.compile(documentedPattern(pattern))];
    expect(accepted.filter((text) => !own.test(text) || !re2.test(text))).toEqual([]);
  });
});
