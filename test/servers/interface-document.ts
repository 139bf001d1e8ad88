import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import { createParser } from 'eventsource-parser';
import type { HttpResponse } from './client.js';
import { recordStatus, statusLine } from './seen-statuses.js';

type Member = { readonly [name: string]: Member };
type CheckedResponse = Pick<HttpResponse, 'status' | 'headers' | 'json' | 'text'>;

/** Throws if a response does not match what `/openapi.json` states for its operation and status. */
export type CheckResponse = (method: string, path: string, response: CheckedResponse) => void;

const PROBLEM = '#/components/schemas/Problem';
const OPENAI_ERROR = '#/components/schemas/OpenaiError';

/** Statuses of requests that are rejected before their operation is known. No operation lists them. */
const BEFORE_ANY_OPERATION: ReadonlySet<number> = new Set([405, 408, 421, 431]);

/**
 * Returns a function that checks a response against the OpenAPI document. The operation must list the status and the media
 * type, and a JSON body must fit its schema. The service serves the document's paths below `prefix`. If the document does not
 * describe the operation, only failures are checked: their JSON body must fit the schema `error`.
 */
export const createResponseCheck = (document: object, prefix = '', error = PROBLEM): CheckResponse => {
  const root = document as Member;
  const schemaAt = schemasOf(document);
  const operations = operationsOf(root, prefix);
  return (method, path, response) => {
    const operation = operations.find(({ verb, matches }) => verb === method.toLowerCase() && matches.test(path));
    // The document does not describe this response, so only the JSON body of a failure is checked.
    if (!operation || BEFORE_ANY_OPERATION.has(response.status)) {
      const schema = path.startsWith('/v1/openai') ? OPENAI_ERROR : error;
      if (response.status >= 400 && response.json !== undefined) expectFits(schemaAt(schema), response, `${method} ${path}`);
      return;
    }
    const name = `${operation.id} (${response.status})`;
    if (response.status === 304) return;
    const pointer = resolveMember(operation.pointer, ['responses', String(response.status)], root);
    if (!pointer) throw new Error(`${name}: /openapi.json does not list this status. ${response.text.slice(0, 500)}`);
    recordStatus(statusLine(operation.verb, operation.path, response.status));
    const media = (response.headers['content-type'] ?? '').split(';')[0] ?? '';
    const content = at(root, pointer)?.['content'];
    if (!content) {
      if (response.text !== '')
        throw new Error(`${name}: /openapi.json describes no body here, but the response has one: ${response.text.slice(0, 500)}`);
      return;
    }
    if (!content[media]) throw new Error(`${name}: ${media} is not among ${Object.keys(content).join(', ')}`);
    // A binary body may contain any bytes, so there is nothing to check.
    if (content[media]['schema']?.['format'] === ('binary' as unknown)) return;
    const described = `${pointer}/content/${escapePointer(media)}`;
    if (content[media]['itemSchema']) expectEventsFit(schemaAt(`${described}/itemSchema/properties/data/contentSchema`), response, name);
    else expectFits(schemaAt(`${described}/schema`), response, name);
  };
};

const expectFits = (validate: ValidateFunction, { json, text }: CheckedResponse, name: string): void => {
  if (validate(json)) return;
  const errors = (validate.errors ?? []).map(({ instancePath, message, params }) => `${instancePath} ${message} ${JSON.stringify(params)}`);
  throw new Error(`${name} does not fit its schema:\n  ${errors.join('\n  ')}\n${text.slice(0, 1000)}`);
};

/** Expects that the data of each server-sent event fits the schema. Ignores named events, and the `[DONE]` at the end. */
const expectEventsFit = (validate: ValidateFunction, response: CheckedResponse, name: string): void => {
  const parser = createParser({
    onEvent({ event, data }) {
      if (event === undefined && data !== '[DONE]') expectFits(validate, { ...response, json: JSON.parse(data) }, name);
    },
  });
  parser.feed(response.text);
};

const schemasOf = (document: object): ((pointer: string) => ValidateFunction) => {
  // By default, JSON Schema 2020-12 does not validate `format`. The suites themselves check values that have a format.
  const ajv = new Ajv2020({ strict: false, allErrors: true, validateFormats: false, validateSchema: false });
  ajv.addSchema(closed(document) as object, 'interface');
  const compiled = new Map<string, ValidateFunction>();
  return (pointer) => {
    const validate = compiled.get(pointer) ?? ajv.compile({ $ref: `interface${pointer}` });
    compiled.set(pointer, validate);
    return validate;
  };
};

/**
 * Returns a copy of a document whose schemas allow no other properties than those that they name. The document itself leaves that
 * open (contract 28.2), but the service must describe what it sends. A choice of kinds stays open: its kinds are closed.
 */
const closed = (value: unknown, isNames = false): unknown => {
  if (Array.isArray(value)) return value.map((item) => closed(item));
  if (typeof value !== 'object' || value === null) return value;
  const copy = Object.fromEntries(Object.entries(value).map(([name, part]) => [name, closed(part, !isNames && name === 'properties')]));
  const isObject = !isNames && typeof copy['properties'] === 'object' && !('oneOf' in copy);
  return isObject ? { additionalProperties: false, ...copy } : copy;
};

type OperationEntry = {
  readonly id: string;
  readonly verb: string;
  readonly path: string;
  readonly matches: RegExp;
  readonly pointer: string;
};

const VERBS = ['get', 'put', 'post', 'delete', 'query'];

/** Paths without a parameter come first. Otherwise `search` in `/v1/pets/search` would be taken for the id of a pet. */
const operationsOf = (root: Member, prefix: string): readonly OperationEntry[] =>
  Object.entries(root['paths'] ?? {})
    .toSorted(([one], [other]) => Number(one.includes('{')) - Number(other.includes('{')))
    .flatMap(([template, item]) =>
      VERBS.filter((verb) => item[verb]).map((verb) => ({
        id: JSON.stringify(item[verb]?.['operationId']),
        verb,
        path: prefix + template,
        matches: new RegExp(`^${prefix}${template.replace(/\{[^}]+\}/g, '[^/?]+')}(\\?.*)?$`),
        pointer: `#/paths/${escapePointer(template)}/${verb}`,
      })),
    );

/** Returns the pointer to a nested member, or null if the member does not exist. Follows references. */
const resolveMember = (pointer: string, names: readonly string[], root: Member): string | null => {
  let current = pointer;
  for (const name of names) {
    const found = at(root, current)?.[name];
    if (found === undefined) return null;
    current = typeof found['$ref'] === 'string' ? found['$ref'] : `${current}/${escapePointer(name)}`;
  }
  return current;
};

const at = (root: Member, pointer: string): Member | undefined =>
  pointer
    .slice(2)
    .split('/')
    .reduce<Member | undefined>((here, step) => here?.[decodeURIComponent(step.replaceAll('~1', '/').replaceAll('~0', '~'))], root);

const escapePointer = (name: string): string => encodeURIComponent(name.replaceAll('~', '~0').replaceAll('/', '~1'));
