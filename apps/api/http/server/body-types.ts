import { Problem } from '../problems/problem.js';

const MULTIPART = 'multipart/form-data with the part file and, optionally, the part additionalMetadata';

/** What an operation takes as its body, see OperationRecord. */
type BodyTerms = { readonly form?: true; readonly queryInForm?: true; readonly upload?: object; readonly uploadAlone?: true };

/** Returns the problem for a body that an operation does not read. It names the types that the operation reads (contract 2.1). */
export const unsupportedBody = (operation: BodyTerms | undefined): Problem =>
  new Problem('unsupported-media-type', `The body must be ${bodyTypes(operation)}, uncompressed.`);

const bodyTypes = (operation: BodyTerms | undefined): string => {
  if (operation?.uploadAlone) return `${MULTIPART}, or the file alone as application/octet-stream`;
  if (operation?.upload) return MULTIPART;
  return `JSON in UTF-8, sent with Content-Type: application/json${(operation?.form ?? operation?.queryInForm) ? ', or a form in UTF-8 (application/x-www-form-urlencoded)' : ''}`;
};
