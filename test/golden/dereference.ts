import type { JsonSchema } from '../../libs/contracts/message-schema.js';

/**
 * Replaces each `$ref` in a document by its target. Members beside the `$ref` override members of the target. All uses of a
 * target share one object.
 */
export const dereference = (document: JsonSchema): JsonSchema => resolverOf(document)(document, []) as JsonSchema;

const resolverOf = (document: JsonSchema) => {
  const resolved = new Map<string, JsonSchema>();
  const targetOf = ($ref: string, parents: readonly string[]): JsonSchema => {
    const known = resolved.get($ref);
    if (known) return known;
    if (parents.includes($ref)) throw new Error(`${$ref} refers to itself`);
    const target = resolve(placeOf($ref, document), [...parents, $ref]) as JsonSchema;
    resolved.set($ref, target);
    return target;
  };
  const resolve = (value: unknown, parents: readonly string[]): unknown => {
    if (Array.isArray(value)) return value.map((item) => resolve(item, parents));
    if (typeof value !== 'object' || value === null) return value;
    const { $ref, ...rest } = value as JsonSchema;
    const parts = Object.fromEntries(Object.entries(rest).map(([name, part]) => [name, resolve(part, parents)]));
    return typeof $ref === 'string' ? { ...targetOf($ref, parents), ...parts } : parts;
  };
  return resolve;
};

const placeOf = ($ref: string, document: JsonSchema): unknown =>
  $ref
    .slice('#/'.length)
    .split('/')
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'))
    .reduce<unknown>((place, step) => (place as JsonSchema | undefined)?.[step], document);
