/** Every place that a document refers to within itself, and what stands there. */
export const referencesIn = (document: object): readonly (readonly [path: string, target: unknown])[] =>
  [...JSON.stringify(document).matchAll(/"\$ref":"#\/([^"]+)"/g)].map(([, path = '']) => [
    path,
    path.split('/').reduce<unknown>((value, key) => (value as Readonly<Record<string, unknown>> | undefined)?.[key], document),
  ]);
