import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { accountScopes } from '../../../libs/application/users/account-scopes.js';
import { SHARED_POOL } from '../../../libs/eventsourcing/message.js';
import type { Clock } from '../../../libs/eventsourcing/ports/clock.port.js';
import { continueTrace } from '../../../libs/eventsourcing/ports/tracing.port.js';
import { CONSOLE_CLIENT_ID, type TokenSigner } from '../../../libs/ports/access-token.port.js';
import type { RateLimiter } from '../http/admission/rate-limit.js';
import { addressKey, createCounter } from '../http/admission/request-counter.js';
import { bodyReader } from '../http/bodies/bodies.js';
import { readJsonBodies } from '../http/bodies/json-body.js';
import { localNames } from '../http/pipeline/perimeter.js';
import { createSampler, type RecordEvent } from '../http/pipeline/security-events.js';
import { Problem } from '../http/problems/problem.js';
import type { PublicAddress } from '../http/public-address.js';
import { JSON_TYPE } from '../http/responses.js';
import type { LIMITS } from '../limits.js';
import type { ConsoleLinks } from './console-links.js';

/** The links of a process, and the user of this machine who runs the process and so acts with their tokens. */
export type GivenLinks = { readonly links: ConsoleLinks; readonly user: string };

type Dependencies = GivenLinks & {
  readonly host: string;
  readonly address: PublicAddress;
  readonly signer: TokenSigner;
  readonly clock: Clock;
  readonly recordEvent: RecordEvent;
  readonly limiter: RateLimiter | null;
  readonly limits: Pick<typeof LIMITS, 'bodiesBytes' | 'requestMilliseconds' | 'checkMilliseconds'>;
};

/** The path at which a page exchanges a one-time link for a token. */
const PATH = '/ops/link';
/** The name of the exchange in security events. */
const OPERATION = 'consoleLink';
const MAX_BODY = { bodyBytes: 1_024, tooLarge: 'The body is larger than 1 KiB.' };
/** The lifetime of the token in seconds. */
const TOKEN_SECONDS = 3_600;

const NOT_OUR_PAGE = 'A link is exchanged by a page of this service only.';
const NOT_VALID = 'The link was used, has expired or is unknown. A restart of the service prints a new one.';

/**
 * Adds the exchange of a one-time link for a token (contract 43.11). It is no operation: no program calls it, and it may give a token to
 * somebody without one. A process that gives no links does not have it.
 */
export const addConsoleLink = (server: FastifyInstance, dependencies: Dependencies): void => {
  const { clock, recordEvent, limiter, limits, host, address } = dependencies;
  const sample = createSampler(clock);
  const record = (kind: 'sign-in' | 'sign-in-failed', actor: string, request: FastifyRequest, more: object = {}): Promise<void> => {
    const data = { kind, operation: OPERATION, actor, address: request.ip, ...more };
    return recordEvent(data, continueTrace({ tenant: SHARED_POOL, requestId: request.id }, request.span?.traceparent));
  };
  const denied = async (request: FastifyRequest, detail: string): Promise<Problem> => {
    const count = sample(OPERATION);
    if (count !== null) await record('sign-in-failed', 'anonymous', request, { status: 403, count });
    return new Problem('forbidden', detail);
  };
  void server.register(async (scope) => {
    readJsonBodies(scope, bodyReader({ ...limits, ...MAX_BODY }));
    if (limiter) {
      const count = createCounter(limiter);
      scope.addHook('onRequest', (request, reply, done) => done(count(addressKey(request), reply) ?? undefined));
    }
    // The secret is not read from a page of another origin, so that such a page cannot use the link up either.
    scope.addHook('onRequest', async (request) => {
      if (!isFromOurPage(request, host, address)) throw await denied(request, NOT_OUR_PAGE);
    });
    scope.post(PATH, async (request, reply) => {
      if (!dependencies.links.use(secretIn(request.body))) throw await denied(request, NOT_VALID);
      const subject = `cli:${dependencies.user}`;
      const answer = await createToken(dependencies, subject);
      await record('sign-in', subject, request);
      return send(reply, answer);
    });
  });
};

/**
 * Returns whether a request is from a page of this service (contract 43.11). A browser sends `Origin` with every POST, and a page cannot
 * change it. HOST is loopback, so a person may have opened the page by any of its names.
 */
const isFromOurPage = ({ headers, socket }: FastifyRequest, host: string, { url }: PublicAddress): boolean => {
  const { origin, 'sec-fetch-site': site } = headers;
  if (origin === undefined || (site !== undefined && site !== 'same-origin')) return false;
  const listening = localNames(host).map((name) => `http://${name}:${socket.localPort}`);
  return [url, ...listening].some((own) => URL.parse(own)?.origin === origin);
};

/** Returns the secret in a body. A body without one has an empty secret, which is wrong. */
const secretIn = (body: unknown): string => {
  const { secret }: { readonly secret?: unknown } = typeof body === 'object' && body !== null ? body : {};
  return typeof secret === 'string' ? secret : '';
};

const createToken = async ({ signer, clock }: Pick<Dependencies, 'signer' | 'clock'>, subject: string): Promise<object> => {
  const issuedAt = Math.floor(clock.now().getTime() / 1_000);
  const scopes = accountScopes({ isStaff: true });
  const token = await signer.sign({ subject, scopes, client: CONSOLE_CLIENT_ID, expiresInSeconds: TOKEN_SECONDS });
  return { token, tokenType: 'Bearer', expiresAt: new Date((issuedAt + TOKEN_SECONDS) * 1_000).toISOString() };
};

const send = (reply: FastifyReply, answer: object): FastifyReply =>
  reply.code(200).header('content-type', JSON_TYPE).header('cache-control', 'no-store').send(JSON.stringify(answer));
