import type { JsonSchema } from '../../libs/contracts/message-schema.js';
import { documentedPattern, EMAIL, ONE_LINE, USERNAME } from '../../apps/api/http/patterns.js';
import { compareMessages } from './compatibility.js';
import { dereference } from './dereference.js';
import { breakIfChanged, compareParts, type Named } from './named-parts.js';
import { requestBreaks } from './request-compatibility.js';

type Parameter = { readonly name: string; readonly in: string; readonly required?: boolean; readonly schema: JsonSchema };
type Contents = Named<{ readonly schema: JsonSchema }>;
type Response = { readonly headers?: Named<{ readonly schema: JsonSchema }>; readonly content?: Contents };
type Operation = {
  readonly operationId: string;
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly required?: boolean; readonly content: Contents };
  readonly responses: Named<Response>;
  readonly callbacks?: Named<Named<PathItem>>;
  readonly security?: readonly object[];
};
type PathItem = Named<Operation>;
type SecurityScheme = { readonly flows?: Named<{ readonly scopes: Named<string> }> };
type Document = {
  readonly paths: Named<PathItem>;
  readonly webhooks?: Named<PathItem>;
  readonly components: { readonly schemas: Named<JsonSchema>; readonly securitySchemes?: Named<SecurityScheme> };
};

/** The properties whose enums are open lists (contract 28.4), by schema. A new value in them breaks no client. */
export const OPEN_LISTS = [
  ['FieldError', 'code'],
  ['Webhook', 'events'],
  ['RegisteredWebhook', 'events'],
  ['ServiceKey', 'status'],
  ['AuditFault', 'kind'],
  ['BrokenStream', 'kind'],
] as const;

/**
 * The patterns of phone numbers before and after the announced change (contract 28.8). Every number of the former pattern has the
 * later one, too.
 */
const PHONES: readonly unknown[] = ['^\\+[1-9]\\d{1,14}$', '^(?:[0-9 +\\-().]{3,30})?$'];

/** Returns a line for each change of an OpenAPI document that breaks a client or a receiver (contract 28.3). */
export const breakingOpenapiChanges = (before: JsonSchema, after: JsonSchema): readonly string[] => {
  const [was, is] = [before, after].map((document) => dereference(withoutAnnounced(document)) as unknown as Document);
  if (!was || !is) return [];
  return [
    ...compareParts('operation', operationsIn(was.paths), operationsIn(is.paths), operationBreaks),
    ...compareParts('webhook', operationsIn(was.webhooks), operationsIn(is.webhooks), sentBreaks),
    ...compareParts('schema', renamed(was.components.schemas), renamed(is.components.schemas)),
    ...compareParts('security scheme', was.components.securitySchemes, is.components.securitySchemes, schemeBreaks),
  ];
};

/** Properties that are always null. Their documented type has gained a second name, as announced (contract 28.8). */
const ALWAYS_NULL = [
  ['OpenaiAnswer', 'refusal'],
  ['OpenaiChoice', 'logprobs'],
] as const;

/** Schemas that have another name in the document now, as announced (contract 28.8). */
const RENAMED: Named<string> = {
  ...{ NewPet: 'PetRequest', NewOrder: 'OrderRequest', NewOrderPayment: 'PaymentRequest', OrderPayment: 'Payment' },
  ...{ NewAdoption: 'AdoptionRequest', NewWebhook: 'WebhookRequest', NewUser: 'UserRequest', NewAccount: 'AccountRequest' },
  ...{ NewClient: 'ClientRequest', Client: 'OauthClient' },
};

const renamed = (schemas: Named<JsonSchema>): Named<JsonSchema> =>
  Object.fromEntries(Object.entries(schemas).map(([name, schema]) => [RENAMED[name] ?? name, schema]));

/** Returns the later form of a pattern that has changed as announced (contract 28.8). The later form accepts all former texts. */
const laterPattern = (pattern: string): string => {
  if (!pattern.includes('\\x7f')) return pattern.replaceAll('\\/', '/').replaceAll('+-[\\]', '+-Z\\[\\]');
  return documentedPattern((pattern.includes('@') ? EMAIL : pattern.startsWith('^(?:[^') ? USERNAME : ONE_LINE).source);
};

/** Returns a document without open lists, and with the changes of patterns that were announced. */
const withoutAnnounced = (document: JsonSchema): JsonSchema => {
  const copy = JSON.parse(JSON.stringify(document), (name, value: unknown) => {
    if (name === 'pattern' && typeof value === 'string') return laterPattern(value);
    // A choice without a discriminator. It has become a schema of its own.
    if (typeof value === 'object' && value !== null && 'oneOf' in value && !('discriminator' in value)) return undefined;
    return value;
  }) as JsonSchema;
  const { schemas } = copy['components'] as {
    readonly schemas: Named<{
      readonly properties?: Named<{ type?: unknown; enum?: unknown; pattern?: unknown; items?: { enum?: unknown } }>;
    }>;
  };
  for (const { properties } of Object.values(schemas)) {
    const phone = properties?.['phone'];
    if (phone && PHONES.includes(phone.pattern)) delete phone.pattern;
  }
  for (const [schema, property] of ALWAYS_NULL) delete schemas[schema]?.properties?.[property]?.type;
  // A stored pet may have a currency that was withdrawn (contract 3.7). The list was an error of the document.
  for (const [schema, property] of [...OPEN_LISTS, ['Pet', 'currency'] as const]) {
    const list = schemas[schema]?.properties?.[property];
    delete list?.enum;
    delete list?.items?.enum;
  }
  return copy;
};

const operationsIn = (items: Named<PathItem> = {}): Named<Operation> =>
  Object.fromEntries(
    Object.entries(items).flatMap(([path, item]) =>
      Object.entries(item).map(([method, operation]) => [`${method.toUpperCase()} ${path}`, operation]),
    ),
  );

const operationBreaks = (route: string, before: Operation, after: Operation): readonly string[] => [
  ...breakIfChanged(`${route} operationId`, before.operationId, after.operationId),
  ...breakIfChanged(`${route} security`, before.security, after.security),
  ...compareParts(`${route} parameter`, parametersOf(before), parametersOf(after), (name, was, is) => [
    ...(is.required && !was.required ? [`${route} parameter ${name} is now required`] : []),
    ...requestBreaks(`${route} ${name}`, was.schema, is.schema),
  ]),
  ...Object.entries(parametersOf(after)).flatMap(([name, { required }]) =>
    required && !parametersOf(before)[name] ? [`${route} parameter ${name} is new and required`] : [],
  ),
  ...bodyBreaks(route, before, after),
  ...responseBreaks(route, before, after),
  ...compareParts(`${route} callback`, callbacksOf(before), callbacksOf(after), sentBreaks),
];

const parametersOf = ({ parameters = [] }: Operation): Named<Parameter> =>
  Object.fromEntries(parameters.map((parameter) => [`${parameter.in} ${parameter.name}`, parameter]));

const callbacksOf = ({ callbacks = {} }: Operation): Named<Operation> =>
  Object.assign({}, ...Object.values(callbacks).map(operationsIn)) as Named<Operation>;

const bodyBreaks = (route: string, { requestBody: was }: Operation, { requestBody: is }: Operation): readonly string[] => {
  if (!was) return is?.required ? [`${route} body is new and required`] : [];
  if (!is) return [`${route} body is no longer accepted`];
  return [
    ...(is.required && !was.required ? [`${route} body is now required`] : []),
    ...compareParts(`${route} body`, was.content, is.content, (_, one, other) => requestBreaks(`${route} body`, one.schema, other.schema)),
  ];
};

const isSuccess = (status: string): boolean => /^[123]/.test(status);

const responseBreaks = (route: string, { responses: was }: Operation, { responses: is }: Operation): readonly string[] => [
  ...compareParts(`${route} status`, was, is, (status, one, other) => [
    ...compareParts(`${route} ${status} header`, one.headers, other.headers, (name, header, now) =>
      consumerBreaks(`${route} ${status} ${name}`, header.schema, now.schema),
    ),
    ...compareParts(`${route} ${status}`, one.content, other.content, (_, content, now) =>
      consumerBreaks(`${route} ${status} body`, content.schema, now.schema),
    ),
  ]),
  // A new success status breaks clients. A new error status does not: clients handle unknown errors by class, 4xx or 5xx.
  ...Object.keys(is).flatMap((status) => (isSuccess(status) && !was[status] ? [`${route} status ${status} is new`] : [])),
];

const consumerBreaks = (place: string, before: JsonSchema, after: JsonSchema): readonly string[] =>
  compareMessages({ [place]: before }, { [place]: after }).breaks;

/** Returns the breaking changes of a webhook or callback. Its receiver reads it, so the rules for consumers of messages apply. */
const sentBreaks = (route: string, before: Operation, after: Operation): readonly string[] => [
  ...breakIfChanged(`${route} operationId`, before.operationId, after.operationId),
  ...compareParts(`${route} parameter`, parametersOf(before), parametersOf(after), (name, was, is) => [
    ...(was.required && !is.required ? [`${route} parameter ${name} is no longer required`] : []),
    ...consumerBreaks(`${route} ${name}`, was.schema, is.schema),
  ]),
  ...compareParts(`${route} body`, before.requestBody?.content, after.requestBody?.content, (_, was, is) =>
    consumerBreaks(`${route} body`, was.schema, is.schema),
  ),
  ...compareParts(`${route} status`, before.responses, after.responses),
];

const schemeBreaks = (name: string, before: SecurityScheme, after: SecurityScheme): readonly string[] =>
  compareParts(`${name} flow`, before.flows, after.flows, (flow, was, is) => compareParts(`${name} ${flow} scope`, was.scopes, is.scopes));
