import type { onRequestHookHandler, onResponseHookHandler, onSendHookHandler, preHandlerHookHandler } from 'fastify';
import type { ProblemKind } from './problems/problem-kinds.js';

/** A step that a request passes, from its socket to its answer. `npm run format` makes docs/life-of-a-request.md from it. */
type Step = {
  readonly name: string;
  /**
   * What runs the step: Node's server at the `socket`, Fastify's router, a hook of Fastify, Fastify's reader of the `body`, or Nest.
   */
  readonly at: 'socket' | 'router' | 'onRequest' | 'body' | 'preHandler' | 'nest' | 'onSend' | 'onResponse';
  /** Which requests pass it: all of them, or those to an operation. Requests to the authorization server and to pages pass the first. */
  readonly of: 'all' | 'operations';
  readonly does: string;
  /** When it applies. Absent: always. */
  readonly when?: string;
  /** The kinds of problems with which it may answer, and other answers in words. */
  readonly answers: readonly (ProblemKind | `${'2' | '3' | '4'}${string} ${string}` | 'closes the connection')[];
  /** The file that decides, from the folder apps/api/http. */
  readonly file: string;
};

/** The steps of a request, in their order. The hooks of Fastify run in the order of this list: `hooksOf` sorts them by it. */
export const REQUEST_STEPS = [
  {
    name: 'connection',
    at: 'socket',
    of: 'all',
    does: 'Sets the limits of Node: sizes and times of headers, and of an idle connection.',
    answers: ['closes the connection'],
    file: 'hardening/server.ts',
  },
  {
    name: 'parser',
    at: 'socket',
    of: 'all',
    does: 'Node reads the first line and the headers. A request that breaks the rules of HTTP, is too slow or is a CONNECT gets its problem here.',
    answers: ['malformed-request', 'request-timeout', 'header-fields-too-large', 'content-too-large', 'not-implemented'],
    file: 'hardening/client-errors.ts',
  },
  {
    name: 'order of answers',
    at: 'socket',
    of: 'all',
    does: 'A request waits until the one before it on its connection is answered. At most 250 wait on one connection (waitingRequests in limits.ts).',
    answers: ['closes the connection'],
    file: 'hardening/handle-in-order.ts',
  },
  {
    name: 'unread answers',
    at: 'socket',
    of: 'all',
    does: 'While answers that clients have not read take more than 64 MiB of memory (unreadBytes), defers handlers and closes the worst connections.',
    answers: ['closes the connection'],
    file: 'hardening/unread-responses.ts',
  },
  {
    name: 'address',
    at: 'router',
    of: 'all',
    does: 'Decodes what needs no encoding, so that equal addresses are the same text, and finds the route.',
    answers: [],
    file: 'pipeline/request-path.ts',
  },
  {
    name: 'trace',
    at: 'onRequest',
    of: 'all',
    does: 'Starts the span of the request.',
    when: 'With TRACES, except for health checks.',
    answers: [],
    file: 'pipeline/request-spans.ts',
  },
  {
    name: 'perimeter',
    at: 'onRequest',
    of: 'all',
    does: 'Sets the general headers. Checks framing (hardening/framing.ts), host, other origins, address and method, and answers OPTIONS.',
    answers: [
      'malformed-request',
      'expectation-failed',
      'not-implemented',
      'misdirected-request',
      'not-found',
      'method-not-allowed',
      '406 of the classic variant',
      '204 to OPTIONS',
    ],
    file: 'pipeline/perimeter.ts',
  },
  {
    name: 'middleware',
    at: 'nest',
    of: 'all',
    does: 'The middleware of Nest modules.',
    when: 'If a module configures some: the service itself has none.',
    answers: [],
    file: 'nest/adapter.ts',
  },
  {
    name: 'admission',
    at: 'onRequest',
    of: 'operations',
    does: 'Counts the request, then checks token, scope and tenant. From here on `request.call` says who calls.',
    answers: ['too-many-requests', 'unauthorized', 'forbidden', 'invalid-request', 'temporarily-unavailable'],
    file: 'admission/admission.ts',
  },
  {
    name: 'body',
    at: 'body',
    of: 'all',
    does: 'Reads the body within its size and time, and parses JSON, a form or an upload.',
    when: 'If the request has a body and its method may have one.',
    answers: [
      'unsupported-media-type',
      'content-too-large',
      'request-timeout',
      'malformed-request',
      'invalid-request',
      'temporarily-unavailable',
    ],
    file: 'bodies/bodies.ts',
  },
  {
    name: 'validation, time of the handler',
    at: 'preHandler',
    of: 'operations',
    does: 'Validates path, query, headers and body together, and gives them their canonical form. Then begins the time in which the handler must answer (handler-deadline.ts).',
    answers: ['malformed-request', 'invalid-request', 'validation-failed', 'temporarily-unavailable'],
    file: 'pipeline/request-reader.ts',
  },
  {
    name: 'consistency',
    at: 'preHandler',
    of: 'operations',
    does: 'Reads the Consistency-Token. The reads of the handler then wait until their read model has what the token names: after 2 s they fail.',
    when: 'On several machines.',
    answers: ['invalid-request', 'temporarily-unavailable'],
    file: 'consistency/consistency.ts',
  },
  {
    name: 'turn of a search',
    at: 'preHandler',
    of: 'operations',
    does: 'Waits for a turn, by caller: two run, 200 wait, of them 50 of one caller (limits.ts). The wait counts towards the time of the handler.',
    when: 'For searches and lists.',
    answers: ['temporarily-unavailable'],
    file: 'admission/search-turns.ts',
  },
  {
    name: 'guards, interceptors, pipes',
    at: 'nest',
    of: 'operations',
    does: 'The enhancers of Nest, as in any application; those of the application hold for pages and health checks, too. Handlers answer by the reply, so an interceptor does not map answers.',
    when: 'If there are some: the service itself has none.',
    answers: [],
    file: 'nest/operation.decorator.ts',
  },
  {
    name: 'handler',
    at: 'nest',
    of: 'operations',
    does: 'The method of a controller makes a command or a query of the request (libs/application), and sends the answer. What it rejects becomes a problem: a repeated Idempotency-Key is found first, then the rules of the decider, then If-Match.',
    answers: [
      '2xx the answer',
      '304 unchanged',
      'not-found',
      'invalid-request',
      'unsupported-media-type',
      'conflict',
      'precondition-failed',
      'idempotency-key-reused',
      'validation-failed',
      'range-not-satisfiable',
      'unauthorized',
      'forbidden',
      'too-many-requests',
      'temporarily-unavailable',
      'history-altered',
      'history-unreadable',
      'internal-error',
    ],
    file: 'problems/rejection-problems.ts',
  },
  {
    name: 'end of the handler',
    at: 'onSend',
    of: 'operations',
    does: 'Ends the time of the handler and the turn of a search.',
    when: 'If a step below delays the answer, and for searches. Otherwise the time ends with the answer.',
    answers: [],
    file: 'pipeline/handler-deadline.ts',
  },
  {
    name: 'shown in read models',
    at: 'onSend',
    of: 'operations',
    does: 'Delays the answer to a write until a list shows it, at most WRITE_WAIT, and sets the Consistency-Token.',
    when: 'On several machines.',
    answers: [],
    file: 'consistency/consistency.ts',
  },
  {
    name: 'security event',
    at: 'onSend',
    of: 'operations',
    does: 'Records who did what, before the answer is sent.',
    when: 'For operations that security events name, if they succeed.',
    answers: [],
    file: 'pipeline/security-events.ts',
  },
  {
    name: 'end of the time, denied request',
    at: 'onResponse',
    of: 'operations',
    does: 'Ends the time of a handler whose answer no step has delayed. Records a sample of the requests that were denied by 401 or 403.',
    answers: [],
    file: 'pipeline/security-events.ts',
  },
  {
    name: 'request log',
    at: 'onResponse',
    of: 'all',
    does: 'Logs the request, without query, headers and body.',
    answers: [],
    file: 'pipeline/request-log.ts',
  },
  {
    name: 'metrics',
    at: 'onResponse',
    of: 'all',
    does: 'Counts the answer by its route.',
    when: 'With METRICS.',
    answers: [],
    file: 'pipeline/request-metrics.ts',
  },
  {
    name: 'end of the trace',
    at: 'onResponse',
    of: 'all',
    does: 'Ends the span of the request.',
    when: 'With TRACES.',
    answers: [],
    file: 'pipeline/request-spans.ts',
  },
  {
    name: 'unread body',
    at: 'socket',
    of: 'all',
    does: 'Drops what still comes of a body whose request was answered, within limits.',
    answers: ['closes the connection'],
    file: 'hardening/refused-bodies.ts',
  },
] as const satisfies readonly Step[];

type Handlers = {
  readonly onRequest: onRequestHookHandler;
  readonly preHandler: preHandlerHookHandler;
  readonly onSend: onSendHookHandler;
  readonly onResponse: onResponseHookHandler;
};
type NameOf<At, Of> = Extract<(typeof REQUEST_STEPS)[number], { readonly at: At; readonly of: Of }>['name'];

/** Returns the hooks of the steps, in the order of the list. A step that does not apply is null. A step without a hook does not compile. */
export const hooksOf = <At extends keyof Handlers, Of extends Step['of']>(
  at: At,
  of: Of,
  hooks: { readonly [Name in NameOf<At, Of>]: Handlers[At] | null },
): Handlers[At][] =>
  REQUEST_STEPS.flatMap((step) =>
    step.at === at && step.of === of ? ((hooks as Record<string, Handlers[At] | null>)[step.name] ?? []) : [],
  );
