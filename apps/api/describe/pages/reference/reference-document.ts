import { OPERATIONS } from '../../../operations.js';
import { openapiDocument } from '../../openapi/document.js';
import { documentForPage } from './document-for-page.js';

type OpenapiDocument = Parameters<typeof documentForPage>[0] & { readonly jsonSchemaDialect: string };

/** Creates the document of `/v1` for the reference. `jsonSchemaDialect` is removed, because Swagger UI warns about it. */
export const referenceDocument = (publicUrl: string, outsideIssuer: string | null = null): object => {
  const { jsonSchemaDialect: _, ...document } = openapiDocument(publicUrl, outsideIssuer) as OpenapiDocument;
  return documentForPage(document, { publicUrl, operations: OPERATIONS });
};
