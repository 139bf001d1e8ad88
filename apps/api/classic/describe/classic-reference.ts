import { documentForPage, mapValues } from '../../describe/pages/reference/document-for-page.js';
import { referenceHtml } from '../../describe/pages/reference/reference-page.js';
import type { OperationRecord } from '../../http/operation.js';
import { classicDocument, classicOperationId, classicTag } from './classic-document.js';

type OpenapiDocument = Parameters<typeof documentForPage>[0];

/** Creates the second tab of the reference (contract 39.9). */
export const classicReferenceHtml = (operations: readonly OperationRecord[]): string =>
  referenceHtml({
    tab: '/docs/classic',
    prefix: '/api/v3',
    documentUrl: '/docs/classic.json',
    forPrograms: '/api/v3/openapi.json',
    operations: operations.map((operation) => ({ ...operation, id: classicOperationId(operation), tag: classicTag(operation) })),
  });

/**
 * Creates the document of the classic variant for the reference. Its operations are not marked as deprecated, because Swagger UI
 * would strike all of them through; the page says it once.
 */
export const classicReferenceDocument = (
  operations: readonly OperationRecord[],
  publicUrl: string,
  outsideIssuer: string | null,
): object => {
  const { paths, ...document } = classicDocument(operations, publicUrl, outsideIssuer) as OpenapiDocument;
  const current = mapValues(paths, (item) => mapValues(item, (operation) => ({ ...operation, deprecated: false })));
  return documentForPage(
    { ...document, paths: current },
    {
      publicUrl,
      operations: Object.fromEntries(operations.map((operation) => [classicOperationId(operation), operation])),
      furtherErrors: { 406: 'Not Acceptable: the `Accept` of the request permits no JSON.' },
    },
  );
};
