import { Controller, Inject } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { samplesAfter } from '../../../../libs/application/operations/process-samples.js';
import { ReadAppended } from '../../../../libs/application/operations/watching.queries.js';
import type { TokenClaims, TokenVerifier } from '../../../../libs/ports/access-token.port.js';
import { tenantOfLog } from '../../audit/log.controller.js';
import { AUDITORS_AND_OPERATORS, OPS } from '../../http/admission/access.js';
import { checkBinding } from '../../http/admission/authorization.js';
import { bearerToken } from '../../http/admission/bearer-token.js';
import type { CallOf, OperationRequest } from '../../http/call.js';
import { dataEvent, sendEventStream } from '../../http/event-stream.js';
import { after, machineTime } from '../../http/machine-time.js';
import { Operation } from '../../http/nest/operation.decorator.js';
import { Problem } from '../../http/problems/problem.js';
import { queryShapeOf } from '../../http/validation/query-shape.js';
import { TOKEN_VERIFIER } from '../../tokens.js';
import { LiveState } from './live-state.js';
import { LIVE_DATA, LIVE_EVENTS, LiveQuery, secondsOf } from './live.dto.js';

/** The maximum number of live streams of one process. Each reads the end of the log once a second. */
const MAX_STREAMS = 50;

/** Milliseconds between two steps of a stream. Every fifth step checks the token and sends the state, every tenth the samples. */
const STEP = 1_000;
const STEPS_OF_STATE = 5;
const STEPS_OF_SAMPLES = 10;

/** Why a stream ends. `unavailable`: whether the token is still valid cannot be decided. */
type EndReason = 'token' | 'unavailable' | 'time' | 'stopping';

/** What a stream shows: the state if `isOperator`, and events if `isAuditor`. */
type Watcher = {
  readonly isOperator: boolean;
  readonly isAuditor: boolean;
  /** Whether what audits have found is sent alone: to an auditor of no tenant. Operators get it with the state. */
  readonly seesIntegrity: boolean;
  /** The tenant whose events are shown, or null for all. */
  readonly tenant: string | null;
  readonly token: string;
  /** The machine time at which the stream ends. */
  readonly until: number;
};

const event = (name: (typeof LIVE_EVENTS)[number], data: object): string => `event: ${name}\n${dataEvent(data)}`;

/** Sends what happens, as it happens (contract 43.12). */
@Controller()
export class LiveController {
  private streams = 0;

  constructor(
    private readonly queries: QueryBus,
    private readonly state: LiveState,
    @Inject(TOKEN_VERIFIER) private readonly tokens: TokenVerifier,
  ) {}

  @Operation({
    id: 'watch',
    method: 'GET',
    path: '/v1/ops/live',
    access: AUDITORS_AND_OPERATORS,
    security: 'audit-read',
    tag: 'Operations',
    summary: 'Watch the service',
    description:
      'A stream of server-sent events. Operators whose token has no tenant get the state of the service every five seconds and samples of ' +
      'each process every ten. Auditors get the events of the tenant that are appended to the log, and those of no tenant what the audits of the log have found. The stream ends with the token, which is ' +
      'checked again every five seconds. Lines that begin with a colon are comments.',
    query: queryShapeOf(LiveQuery),
    success: { status: 200, description: 'The stream', events: LIVE_DATA, eventNames: LIVE_EVENTS, isComputed: true },
    problems: [],
  })
  async watch(request: OperationRequest<{ query: LiveQuery }>, reply: FastifyReply): Promise<void> {
    const watcher = watcherOf(request);
    if (this.streams >= MAX_STREAMS)
      throw new Problem('temporarily-unavailable', `This process has ${MAX_STREAMS} live streams, and opens no other. Close one of them.`);
    this.streams++;
    reply.raw.once('close', () => this.streams--);
    await sendEventStream(reply, 200, {
      parts: this.parts(watcher)[Symbol.asyncIterator](),
      first: () => ': the stream begins\n\n',
      eventsOf: (part) => part,
      last: ': the stream has ended\n\n',
      // The client connects again, and then learns more.
      failure: () => event('end', { reason: 'unavailable' }),
    });
  }

  private async *parts(watcher: Watcher): AsyncGenerator<string, undefined> {
    const { isOperator, isAuditor, until } = watcher;
    const sent = new Map<string, string>();
    let position: number | null = null;
    // The response begins at once, also if nothing happens.
    yield ': watching\n\n';
    for (let step = 0; ; step++) {
      const ended = step % STEPS_OF_STATE === 0 ? await this.whyEnded(watcher) : null;
      if (ended) return yield* ends(ended);
      if (isOperator && step % STEPS_OF_STATE === 0) yield event('state', await this.state.read());
      if (isOperator && step % STEPS_OF_SAMPLES === 0) yield* this.samples(sent);
      if (watcher.seesIntegrity && step % STEPS_OF_SAMPLES === 0) yield* this.integrity();
      if (isAuditor) {
        const { events, more, ...read } = await this.queries.execute(new ReadAppended(position));
        const shown = events.filter(({ tenant }) => watcher.tenant === null || tenant === watcher.tenant);
        if (shown.length > 0) yield event('appended', { data: shown, more });
        ({ position } = read);
      }
      if (machineTime() >= until) return yield* ends('time');
      await pause(Math.min(STEP, until - machineTime()), this.state.signal);
      if (this.state.signal.aborted) return yield* ends('stopping');
    }
  }

  /** `sent` has the end of the samples that were sent of each process. */
  private async *samples(sent: Map<string, string>): AsyncGenerator<string> {
    const processes = (await this.state.processes()).flatMap(({ id, samples: all }) => {
      const samples = samplesAfter(all, sent.get(id));
      sent.set(id, all.end);
      return samples ? [{ id, ...samples }] : [];
    });
    if (processes.length > 0) yield event('samples', { processes });
  }

  private async *integrity(): AsyncGenerator<string> {
    const health = await this.state.health();
    if (health) yield event('integrity', health.audit);
  }

  private async whyEnded({ token, isOperator, isAuditor }: Watcher): Promise<EndReason | null> {
    try {
      const claims = await this.tokens.verify(token);
      if (claims === null || typeof claims === 'string') return 'token';
      return rightsOf(claims).isOperator === isOperator && rightsOf(claims).isAuditor === isAuditor ? null : 'token';
    } catch {
      return 'unavailable';
    }
  }
}

/** What a token may see: the state of the service needs `ops` and a token of no tenant, and events need `audit:read`. */
const rightsOf = ({ scopes, tenant }: TokenClaims): Pick<Watcher, 'isOperator' | 'isAuditor'> => ({
  isOperator: scopes.has(OPS) && tenant === undefined,
  isAuditor: scopes.has('audit:read'),
});

const watcherOf = (request: OperationRequest<{ query: LiveQuery }>): Watcher => {
  const { call } = request as { readonly call: CallOf<{ query: LiveQuery }> & { readonly caller: TokenClaims } };
  const rights = rightsOf(call.caller);
  // With neither, the token has `ops` and a tenant.
  const problem = rights.isOperator || rights.isAuditor ? null : checkBinding('token', call.caller);
  if (problem) throw problem;
  const token = bearerToken(request as unknown as FastifyRequest) ?? '';
  const seesIntegrity = rights.isAuditor && !rights.isOperator && call.caller.tenant === undefined;
  return { ...rights, seesIntegrity, tenant: tenantOfLog(call), token, until: machineTime() + secondsOf(call.query) * 1_000 };
};

async function* ends(reason: EndReason): AsyncGenerator<string, undefined> {
  yield event('end', { reason });
  return undefined;
}

/** Resolves after a time, or as soon as the signal aborts. */
const pause = (milliseconds: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) return resolve();
    const end = (): void => {
      cancel();
      signal.removeEventListener('abort', end);
      resolve();
    };
    const cancel = after(milliseconds, end);
    signal.addEventListener('abort', end);
  });
