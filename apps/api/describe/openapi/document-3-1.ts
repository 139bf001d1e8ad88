import { openapiDocument } from './document.js';

type PathItem = Readonly<Record<string, object>>;
type Document = {
  readonly paths: Readonly<Record<string, PathItem>>;
  readonly components: {
    readonly securitySchemes: { readonly oauth2: { readonly flows: Readonly<Record<string, object>> } };
  };
};

/**
 * Describes the interface in OpenAPI 3.1.0, for tools that do not read 3.2 (contract 25.3). 3.1 cannot express the
 * method QUERY or the device flow. `POST /v1/pets/search` is the same search.
 */
export const openapi31Document = (publicUrl: string): object => {
  const document = openapiDocument(publicUrl) as Document;
  const { securitySchemes } = document.components;
  const { deviceAuthorization: _, ...flows } = securitySchemes.oauth2.flows;
  return {
    ...document,
    openapi: '3.1.0',
    paths: Object.fromEntries(Object.entries(document.paths).map(([path, item]) => [path, withoutQuery(item)])),
    components: {
      ...document.components,
      securitySchemes: { ...securitySchemes, oauth2: { ...securitySchemes.oauth2, flows } },
    },
  };
};

const withoutQuery = ({ query: _, ...item }: PathItem): PathItem => item;
