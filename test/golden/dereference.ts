import type { JsonSchema } from '../../libs/contracts/message-schema.js';

/** Replaces each `$ref` in a document by its target. Members beside the `$ref` override members of the target. */
export const dereference = (document: JsonSchema): JsonSchema => resolve(document, document, []) as JsonSchema;

const resolve = (value: unknown, document: JsonSchema, parents: readonly string[]): unknown => {
  if (Array.isArray(value)) return value.map((item) => resolve(item, document, parents));
  if (typeof value !== 'object' || value === null) return value;
  const { $ref, ...rest } = value as JsonSchema;
  const parts = Object.fromEntries(Object.entries(rest).map(([name, part]) => [name, resolve(part, document, parents)]));
  if (typeof $ref !== 'string') return parts;
  if (parents.includes($ref)) throw new Error(`${$ref} refers to itself`);
  return { ...(resolve(targetOf($ref, document), document, [...parents, $ref]) as JsonSchema), ...parts };
};

const targetOf = ($ref: string, document: JsonSchema): unknown =>
  $ref
    .slice('#/'.length)
    .split('/')
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'))
    .reduce<unknown>((place, step) => (place as JsonSchema | undefined)?.[step], document);
