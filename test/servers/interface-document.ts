import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import type { Answer } from './client.js';

type Member = { readonly [name: string]: Member };
type CheckedAnswer = Pick<Answer, 'status' | 'headers' | 'json' | 'text'>;

/** Throws when a response does not fit the interface description of its operation and status. */
export type CheckAnswer = (method: string, path: string, answer: CheckedAnswer) => void;

const PROBLEM = '#/components/schemas/Problem';

/** Statuses of requests that are rejected before their operation is known. No operation lists them. */
const BEFORE_ANY_OPERATION: ReadonlySet<number> = new Set([405, 408, 421, 431]);

/**
 * Checks each response against `/openapi.json`, so that document and behaviour agree. The operation must list
 * the status and the media type, and a JSON body must fit its schema.
 */
export const createAnswerCheck = (document: object): CheckAnswer => {
  const root = document as Member;
  const schemaAt = schemasOf(document);
  const operations = operationsOf(root);
  return (method, path, answer) => {
    const operation = operations.find(({ verb, matches }) => verb === method.toLowerCase() && matches.test(path));
    // The path or the method is unknown to the document. A failure must then be a problem.
    if (!operation || BEFORE_ANY_OPERATION.has(answer.status)) {
      if (answer.status >= 400 && answer.json !== undefined) expectFits(schemaAt(PROBLEM), answer, `${method} ${path}`);
      return;
    }
    const name = `${operation.id} (${answer.status})`;
    if (answer.status === 304) return;
    const response = resolveMember(operation.pointer, ['responses', String(answer.status)], root);
    if (!response) throw new Error(`${name}: /openapi.json does not list this status. ${answer.text.slice(0, 500)}`);
    const media = (answer.headers['content-type'] ?? '').split(';')[0] ?? '';
    const content = at(root, response)?.['content'];
    if (!content) {
      if (answer.text !== '')
        throw new Error(`${name}: /openapi.json describes no body here, but the answer has one: ${answer.text.slice(0, 500)}`);
      return;
    }
    if (!content[media]) throw new Error(`${name}: ${media} is not among ${Object.keys(content).join(', ')}`);
    expectFits(schemaAt(`${response}/content/${escapePointer(media)}/schema`), answer, name);
  };
};

const expectFits = (validate: ValidateFunction, { json, text }: CheckedAnswer, name: string): void => {
  if (validate(json)) return;
  const errors = (validate.errors ?? []).map(({ instancePath, message, params }) => `${instancePath} ${message} ${JSON.stringify(params)}`);
  throw new Error(`${name} does not fit its schema:\n  ${errors.join('\n  ')}\n${text.slice(0, 1000)}`);
};

const schemasOf = (document: object): ((pointer: string) => ValidateFunction) => {
  // Formats are annotations in JSON Schema 2020-12. The suites check the values.
  const ajv = new Ajv2020({ strict: false, allErrors: true, validateFormats: false, validateSchema: false });
  ajv.addSchema(document, 'interface');
  const compiled = new Map<string, ValidateFunction>();
  return (pointer) => {
    const validate = compiled.get(pointer) ?? ajv.compile({ $ref: `interface${pointer}` });
    compiled.set(pointer, validate);
    return validate;
  };
};

type OperationEntry = { readonly id: string; readonly verb: string; readonly matches: RegExp; readonly pointer: string };

const VERBS = ['get', 'put', 'post', 'delete', 'query'];

/** Paths without a parameter come first: `search` in `/v1/pets/search` is not an id. */
const operationsOf = (root: Member): readonly OperationEntry[] =>
  Object.entries(root['paths'] ?? {})
    .toSorted(([one], [other]) => Number(one.includes('{')) - Number(other.includes('{')))
    .flatMap(([template, item]) =>
      VERBS.filter((verb) => item[verb]).map((verb) => ({
        id: JSON.stringify(item[verb]?.['operationId']),
        verb,
        matches: new RegExp(`^${template.replace(/\{[^}]+\}/g, '[^/?]+')}(\\?.*)?$`),
        pointer: `#/paths/${escapePointer(template)}/${verb}`,
      })),
    );

/** Returns the pointer of a nested member and follows references; null when it does not exist. */
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
