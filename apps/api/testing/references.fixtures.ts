/**
 * Returns the path and the target of every `$ref` inside a document.
 * The target is undefined if it is missing.
 */
export const referencesIn = (document: object): readonly (readonly [path: string, target: unknown])[] =>
  [...JSON.stringify(document).matchAll(/"\$ref":"#\/([^"]+)"/g)].map(([, path = '']) => [
    path,
    path.split('/').reduce<unknown>((value, key) => (value as Readonly<Record<string, unknown>> | undefined)?.[key], document),
  ]);
