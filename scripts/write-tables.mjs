/** Writes the tables in docs/api.md and docs/contract.md that repeat the code, and the page of a request. */
import { readFileSync } from 'node:fs';
import './typescript-hooks.mjs';
import { API_GUIDE, withOperationTable } from './operations.mjs';
import { inRoot, writeDocument } from './workspace.mjs';

const { OPERATIONS } = await import('../apps/api/operations.ts');
const { STAFF } = await import('../apps/api/http/admission/access.ts');
const { REQUEST_PAGE, requestPage } = await import('../test/architecture/request-page.ts');
const { CONTRACT, withGeneratedTables } = await import('../test/architecture/generated-tables.ts');

const rewrite = (document, change) => writeDocument(document, change(readFileSync(inRoot(document), 'utf8')));

rewrite(API_GUIDE, (text) => withOperationTable(text, OPERATIONS, STAFF));
rewrite(CONTRACT, withGeneratedTables);
writeDocument(REQUEST_PAGE, requestPage());
