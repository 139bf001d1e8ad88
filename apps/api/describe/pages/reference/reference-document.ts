import type { Requirement } from '../../../http/admission/access.js';
import type { OperationRecord } from '../../../http/operation.js';
import { PROBLEMS, type ProblemKind } from '../../../http/problems/problem-kinds.js';
import { OPERATIONS } from '../../../operations.js';
import { openapiDocument } from '../../openapi/document.js';
import { operationProblems } from '../../operation-problems.js';

type OperationObject = {
  readonly operationId: string;
  readonly description: string;
  readonly responses: Readonly<Record<string, object>>;
};

type OpenapiDocument = {
  readonly jsonSchemaDialect: string;
  readonly paths: Readonly<Record<string, Readonly<Record<string, OperationObject>>>>;
  readonly components: {
    readonly securitySchemes: { readonly bearerAuth: object; readonly oauth2?: { readonly flows: Readonly<Record<string, object>> } };
  };
};

/**
 * Creates the OpenAPI document for Swagger UI. Each operation has one table of errors instead of its error responses. The
 * URL of the server is only a path, because the Content-Security-Policy of the page permits only requests to its own origin.
 * `jsonSchemaDialect` is removed, because Swagger UI warns about it. The page shows the names of the two schemes as headings:
 * a token can be pasted, or a person signs in with the code flow (contract 32.7).
 */
export const referenceDocument = (publicUrl: string, outsideIssuer: string | null = null): object => {
  const { jsonSchemaDialect: _, ...document } = openapiDocument(publicUrl, outsideIssuer) as OpenapiDocument;
  const { securitySchemes, ...components } = document.components;
  const { bearerAuth, oauth2 } = securitySchemes;
  const flows = { authorizationCode: oauth2?.flows['authorizationCode'] };
  const schemes = {
    Token: { ...bearerAuth, description: 'Paste an access token.' },
    ...(oauth2 && { 'Sign-in': { ...oauth2, flows, description: 'Or sign in to your account, in a window of its own.' } }),
  };
  const security = Object.keys(schemes).map((name) => ({ [name]: [] }));
  return {
    ...document,
    servers: [{ url: new URL(publicUrl).pathname }],
    paths: mapValues(document.paths, (item) => mapValues(item, (operation) => operationForPage(operation, security))),
    components: { ...components, securitySchemes: schemes },
  };
};

const mapValues = <T, R>(object: Readonly<Record<string, T>>, map: (value: T) => R): Readonly<Record<string, R>> =>
  Object.fromEntries(Object.entries(object).map(([key, value]) => [key, map(value)]));

/** `security` has the schemes of the operations that take a token. */
const operationForPage = (operation: OperationObject, security: readonly object[]): object => {
  const record = OPERATIONS[operation.operationId];
  if (!record) throw new Error(`no operation has the operationId ${operation.operationId} of the OpenAPI document`);
  const { documented } = record.access;
  const successes = Object.entries(operation.responses).filter(([status]) => Number(status) < 400);
  return {
    ...operation,
    description: [operation.description, tokenText(documented)].filter(Boolean).join('\n\n'),
    responses: { ...Object.fromEntries(successes), Errors: { description: errorTable(record) } },
    security: documented === 'nothing' ? [] : security,
  };
};

/** Describes the required token, in place of the list of security schemes. */
const tokenText = (requirement: Requirement): string => {
  if (requirement === 'nothing') return '';
  return typeof requirement === 'object' ? `Requires a token with scope \`${requirement.scope}\`.` : 'Requires a token.';
};

/** Creates the table of an operation's errors in Markdown, which Swagger UI displays. */
const errorTable = (operation: OperationRecord): string =>
  [
    '| Status | Problem | Cause |',
    '|---|---|---|',
    ...operationProblems(operation)
      .toSorted((one, other) => PROBLEMS[one].status - PROBLEMS[other].status)
      .map(errorRow),
  ].join('\n');

const errorRow = (kind: ProblemKind): string => {
  const { status, title, cause } = PROBLEMS[kind];
  return `| ${status} | [${title}](/errors/${kind}) | ${cause.replaceAll('|', '\\|')} |`;
};
