import { readFileSync } from 'node:fs';
import { asyncapiDocument } from '../../apps/api/describe/asyncapi/document.js';
import { openapiDocument } from '../../apps/api/describe/openapi/document.js';
import type { JsonSchema } from '../../libs/contracts/message-schema.js';
import { breakingAsyncapiChanges } from './asyncapi-compatibility.js';
import { compareMembers, goldenText, type GoldenChange } from './golden-files.js';
import { breakingOpenapiChanges } from './openapi-compatibility.js';

/** The OpenAPI and the AsyncAPI document, without texts such as titles and descriptions. */
export type InterfaceDocuments = Readonly<Record<'openapi' | 'asyncapi', JsonSchema>>;

const FOLDER = new URL('interface/', import.meta.url);
const PUBLIC_URL = 'https://pets.example.com';
const TOPICS = { namespace: '', replicas: 3 };

/** Members with texts and links for readers. A change of them breaks no client. */
const TEXTS: ReadonlySet<string> = new Set([
  'title',
  'summary',
  'description',
  'example',
  'examples',
  'externalDocs',
  'tags',
  'info',
  'servers',
]);
/** Members whose keys are names, not keywords. All these keys are kept, for example that of a property called `title`. */
const NAMES: ReadonlySet<string> = new Set([
  ...['paths', 'webhooks', 'callbacks', 'responses', 'content', 'headers', 'parameters', 'schemas', 'properties'],
  ...['channels', 'operations', 'messages', 'securitySchemes', 'flows', 'scopes', 'mapping'],
]);

/** Returns the documents that the code declares. */
export const declaredDocuments = (): InterfaceDocuments => ({
  openapi: withoutTexts(openapiDocument(PUBLIC_URL)),
  asyncapi: withoutTexts(asyncapiDocument(PUBLIC_URL, TOPICS)),
});

const withoutTexts = (document: object): JsonSchema => stripped(JSON.parse(JSON.stringify(document)), false) as JsonSchema;

const stripped = (value: unknown, isNames: boolean): unknown => {
  if (Array.isArray(value)) return value.map((item) => stripped(item, false));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([name]) => isNames || !TEXTS.has(name))
      .map(([name, part]) => [name, stripped(part, !isNames && NAMES.has(name))]),
  );
};

const fileOf = (name: string): URL => new URL(`${name}.json`, FOLDER);
const accepted = (name: string): JsonSchema => JSON.parse(readFileSync(fileOf(name), 'utf8')) as JsonSchema;

/** Returns the accepted documents from the golden files. */
export const acceptedDocuments = (): InterfaceDocuments => ({ openapi: accepted('openapi'), asyncapi: accepted('asyncapi') });

/** Returns a line for each change that breaks clients, with the remedy (contract 28.3). */
export const breakingInterfaceChanges = (before: InterfaceDocuments, after: InterfaceDocuments): readonly string[] => [
  ...breakingOpenapiChanges(before.openapi, after.openapi).map(
    (change) => `/openapi.json: ${change}. Clients rely on it: revert the change.`,
  ),
  ...breakingAsyncapiChanges(before.asyncapi, after.asyncapi).map(
    (change) => `/asyncapi.json: ${change}. Consumers rely on it: revert the change.`,
  ),
];

/** Returns the golden files that differ from the documents that the code declares. */
export const interfaceChanges = (declared = declaredDocuments()): readonly GoldenChange[] => {
  const before = acceptedDocuments();
  return Object.entries(declared).flatMap(([name, document]) => {
    const breaks = breakingInterfaceChanges(before, { ...before, [name]: document });
    const { added, changed } = compareMembers(before[name as keyof InterfaceDocuments], document);
    if (breaks.length + added.length + changed.length === 0) return [];
    return { file: `interface/${name}.json`, breaks, additions: [...added, ...changed], text: goldenText(document, 1) };
  });
};
