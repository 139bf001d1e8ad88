/** Returns every reference of a document to itself, with its target. */
export const referencesIn = (document: object): readonly (readonly [path: string, target: unknown])[] =>
  [...JSON.stringify(document).matchAll(/"\$ref":"#\/([^"]+)"/g)].map(([, path = '']) => [
    path,
    path.split('/').reduce<unknown>((value, key) => (value as Readonly<Record<string, unknown>> | undefined)?.[key], document),
  ]);
