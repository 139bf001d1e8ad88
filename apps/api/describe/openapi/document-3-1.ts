import { openapiDocument } from './document.js';

type PathItem = Readonly<Record<string, object>>;
type Document = {
  readonly paths: Readonly<Record<string, PathItem>>;
  readonly components: {
    readonly securitySchemes: { readonly oauth2?: { readonly flows: Readonly<Record<string, object>> } };
  };
};

/**
 * Creates the OpenAPI 3.1.0 document, for tools that do not read 3.2 (contract 25.3). The document lacks the QUERY method,
 * the device flow and the schemas of server-sent events, because 3.1 cannot express them. Clients of this document search
 * with `POST /v1/pets/search`. `outsideIssuer` is null if the service itself signs users in.
 */
export const openapi31Document = (publicUrl: string, outsideIssuer: string | null = null): object => {
  const document = openapiDocument(publicUrl, outsideIssuer) as Document;
  const { oauth2, ...securitySchemes } = document.components.securitySchemes;
  const { deviceAuthorization: _, ...flows } = oauth2?.flows ?? {};
  return {
    ...document,
    openapi: '3.1.0',
    paths: Object.fromEntries(Object.entries(document.paths).map(([path, item]) => [path, withoutItemSchemas(withoutQueryMethod(item))])),
    components: {
      ...document.components,
      securitySchemes: { ...securitySchemes, ...(oauth2 && { oauth2: { ...oauth2, flows } }) },
    },
  };
};

const withoutQueryMethod = ({ query: _, ...item }: PathItem): PathItem => item;

/** Returns a copy of `value` in which no object, at any depth, has the member `itemSchema`. */
const withoutItemSchemas = (value: object): object =>
  JSON.parse(JSON.stringify(value, (key, member: unknown) => (key === 'itemSchema' ? undefined : member))) as object;
