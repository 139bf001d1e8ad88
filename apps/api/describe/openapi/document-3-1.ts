import { openapiDocument } from './document.js';

type PathItem = Readonly<Record<string, object>>;
type Document = {
  readonly paths: Readonly<Record<string, PathItem>>;
  readonly components: {
    readonly securitySchemes: { readonly oauth2: { readonly flows: Readonly<Record<string, object>> } };
  };
};

/**
 * Creates the OpenAPI 3.1.0 document, for tools that do not read 3.2 (contract 25.3). It lacks the QUERY method and
 * the device flow, which 3.1 cannot express. `POST /v1/pets/search` replaces QUERY.
 */
export const openapi31Document = (publicUrl: string): object => {
  const document = openapiDocument(publicUrl) as Document;
  const { securitySchemes } = document.components;
  const { deviceAuthorization: _, ...flows } = securitySchemes.oauth2.flows;
  return {
    ...document,
    openapi: '3.1.0',
    paths: Object.fromEntries(Object.entries(document.paths).map(([path, item]) => [path, withoutQueryMethod(item)])),
    components: {
      ...document.components,
      securitySchemes: { ...securitySchemes, oauth2: { ...securitySchemes.oauth2, flows } },
    },
  };
};

const withoutQueryMethod = ({ query: _, ...item }: PathItem): PathItem => item;
