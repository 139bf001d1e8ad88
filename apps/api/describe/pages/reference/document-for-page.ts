import { scopesOf, type Requirement } from '../../../http/admission/access.js';
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
  /** The operations in the order of use, by the operationIds of the document. */
  readonly operations: Readonly<Record<string, OperationRecord>>;
  /** Further errors of every operation by status, as Markdown. */
  readonly furtherErrors?: Readonly<Record<string, string>>;
};

/**
 * Creates the OpenAPI document that Swagger UI shows. Each error response has the links to its problems instead of
 * a body. Operations are numbered in the order of use, because Swagger UI would sort them by path. The page shows the names of the two schemes as headings: a token can be pasted, or a person signs in with the code flow
 * (contract 32.7). The URL of the server is only a path, because the Content-Security-Policy of the page permits only requests to its
 * own origin.
 */
export const documentForPage = (document: OpenapiDocument, options: PageOptions): object => {
  const { securitySchemes, ...components } = document.components;
  const oauth2 = Object.values(securitySchemes).find(isOAuth2);
  const flows = { authorizationCode: oauth2?.flows['authorizationCode'] };
  const schemes = {
    Token: { ...securitySchemes.bearerAuth, description: '**With a token.** Paste an access token, such as `petstore token` prints.' },
    ...(oauth2 && {
      'Sign-in': {
        ...oauth2,
        flows,
        description: '**With an account.** Choose what this page may do, and sign in, in a window of its own.',
      },
    }),
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
  { publicUrl, operations, furtherErrors = {} }: PageOptions,
): object => {
  const record = operations[operation.operationId];
  if (!record) throw new Error(`no operation has the operationId ${operation.operationId} of the OpenAPI document`);
  const { documented } = record.access;
  const successes = Object.entries(operation.responses).filter(([status]) => Number(status) < 400);
  return {
    ...operation,
    description: [operation.description, tokenText(documented)].filter(Boolean).join('\n\n'),
    responses: Object.fromEntries([
      ...successes,
      ...errorsOf(record, prefixOf(publicUrl)),
      ...Object.entries(furtherErrors).map(described),
    ]),
    security: documented === 'nothing' ? [] : security,
    'x-position': Object.keys(operations).indexOf(operation.operationId),
  };
};

/** Describes the required token, in place of the list of security schemes. */
const tokenText = (requirement: Requirement): string => {
  if (requirement === 'nothing') return '';
  if (typeof requirement === 'string') return 'Requires a token.';
  return `Requires a token with scope ${scopesOf(requirement)
    .map((scope) => `\`${scope}\``)
    .join(' or ')}.`;
};

type Described = readonly [status: string, response: { readonly description: string }];

const described = ([status, description]: readonly [string, string]): Described => [status, { description }];

/** Returns the error responses of an operation. Each names its problems, with a link to the page of each. */
const errorsOf = (operation: OperationRecord, prefix: string): readonly Described[] =>
  [...Map.groupBy(operationProblems(operation), (kind) => PROBLEMS[kind].status)].map(([status, kinds]) =>
    described([String(status), kinds.map((kind) => problemText(kind, prefix)).join('\n\n')]),
  );

const problemText = (kind: ProblemKind, prefix: string): string => {
  const { title, cause } = PROBLEMS[kind];
  return `[${title}](${prefix}/errors/${kind}): ${cause}`;
};
