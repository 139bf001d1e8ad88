import type { Requirement } from '../../../http/admission/access.js';
import type { OperationRecord } from '../../../http/operation.js';
import { PROBLEMS, type ProblemKind } from '../../../http/problems/problem-kinds.js';
import { prefixOf } from '../../../http/public-address.js';
import { operationProblems } from '../../operation-problems.js';

type OperationObject = {
  readonly operationId: string;
  readonly description: string;
  readonly responses: Readonly<Record<string, object>>;
};

type OAuth2Scheme = { readonly type: 'oauth2'; readonly flows: Readonly<Record<string, object>> };

/** The parts of an OpenAPI document that differ on the page. */
type OpenapiDocument = {
  readonly servers: readonly [{ readonly url: string }];
  readonly paths: Readonly<Record<string, Readonly<Record<string, OperationObject>>>>;
  readonly components: { readonly securitySchemes: Readonly<Record<string, object>> & { readonly bearerAuth: object } };
};

type PageOptions = {
  readonly publicUrl: string;
  /** Returns the record of the operation with this operationId. */
  readonly recordOf: (operationId: string) => OperationRecord | undefined;
  /** Rows of an operation's table of errors, beside those of its problems. */
  readonly furtherErrors?: readonly string[];
};

/**
 * Creates the OpenAPI document that Swagger UI shows. Each operation has one table of errors instead of its error responses. The
 * page shows the names of the two schemes as headings: a token can be pasted, or a person signs in with the code flow
 * (contract 32.7). The URL of the server is only a path, because the Content-Security-Policy of the page permits only requests to its
 * own origin.
 */
export const documentForPage = (document: OpenapiDocument, options: PageOptions): object => {
  const { securitySchemes, ...components } = document.components;
  const oauth2 = Object.values(securitySchemes).find(isOAuth2);
  const flows = { authorizationCode: oauth2?.flows['authorizationCode'] };
  const schemes = {
    Token: { ...securitySchemes.bearerAuth, description: 'Paste an access token.' },
    ...(oauth2 && { 'Sign-in': { ...oauth2, flows, description: 'Or sign in to your account, in a window of its own.' } }),
  };
  const security = Object.keys(schemes).map((name) => ({ [name]: [] }));
  return {
    ...document,
    servers: [{ url: new URL(document.servers[0].url).pathname }],
    paths: mapValues(document.paths, (item) => mapValues(item, (operation) => operationForPage(operation, security, options))),
    components: { ...components, securitySchemes: schemes },
  };
};

const isOAuth2 = (scheme: object): scheme is OAuth2Scheme => 'type' in scheme && scheme.type === 'oauth2';

/** Applies `map` to each value of an object. */
export const mapValues = <T, R>(object: Readonly<Record<string, T>>, map: (value: T) => R): Readonly<Record<string, R>> =>
  Object.fromEntries(Object.entries(object).map(([key, value]) => [key, map(value)]));

/** `security` has the schemes of the operations that take a token. */
const operationForPage = (
  operation: OperationObject,
  security: readonly object[],
  { publicUrl, recordOf, furtherErrors = [] }: PageOptions,
): object => {
  const record = recordOf(operation.operationId);
  if (!record) throw new Error(`no operation has the operationId ${operation.operationId} of the OpenAPI document`);
  const { documented } = record.access;
  const successes = Object.entries(operation.responses).filter(([status]) => Number(status) < 400);
  return {
    ...operation,
    description: [operation.description, tokenText(documented)].filter(Boolean).join('\n\n'),
    responses: { ...Object.fromEntries(successes), Errors: { description: errorTable(record, prefixOf(publicUrl), furtherErrors) } },
    security: documented === 'nothing' ? [] : security,
  };
};

/** Describes the required token, in place of the list of security schemes. */
const tokenText = (requirement: Requirement): string => {
  if (requirement === 'nothing') return '';
  return typeof requirement === 'object' ? `Requires a token with scope \`${requirement.scope}\`.` : 'Requires a token.';
};

/** Creates the table of an operation's errors in Markdown, which Swagger UI displays. */
const errorTable = (operation: OperationRecord, prefix: string, furtherErrors: readonly string[]): string =>
  [
    '| Status | Problem | Cause |',
    '|---|---|---|',
    ...[...operationProblems(operation).map((kind) => errorRow(kind, prefix)), ...furtherErrors].toSorted((one, other) =>
      one.localeCompare(other, 'en'),
    ),
  ].join('\n');

const errorRow = (kind: ProblemKind, prefix: string): string => {
  const { status, title, cause } = PROBLEMS[kind];
  return `| ${status} | [${title}](${prefix}/errors/${kind}) | ${cause.replaceAll('|', '\\|')} |`;
};
