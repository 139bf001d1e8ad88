import { Controller, Inject } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { samplesAfter } from '../../../../libs/application/operations/process-samples.js';
import { ReadAppended, type Appended } from '../../../../libs/application/operations/watching.queries.js';
import type { TokenClaims, TokenVerifier } from '../../../../libs/ports/access-token.port.js';
import { tenantOfLog } from '../../audit/auditor.js';
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

/**
 * The maximum numbers of live streams of one process: in all, of one caller, and of all whose token is bound to a tenant. So auditors
 * of tenants cannot keep operators out. Each stream reads the end of the log once a second.
 */
const MAX_STREAMS = 50;
const MAX_OF_CALLER = 10;
const MAX_BOUND = 25;

/** Milliseconds between two reads of the end of the log, between two states, and between two samples. */
const STEP = 1_000;
const STATE_EVERY = 5_000;
const SAMPLES_EVERY = 10_000;

/** The maximum number of reads of the log in one step, for somebody who may miss no event. */
const MAX_PARTS = 25;

/** Milliseconds after its end in which a stream may still be read. Then its connection is closed. */
const GRACE = 10_000;

/** Why a stream ends. `unavailable`: whether the token is still valid cannot be decided. */
type EndReason = 'token' | 'unavailable' | 'time' | 'stopping';

/** What a stream shows: the state if `isOperator`, and events if `isAuditor`. */
type Watcher = {
  readonly isOperator: boolean;
  readonly isAuditor: boolean;
  /** The tenant whose events are shown, or null for all. */
  readonly tenant: string | null;
  readonly token: string;
  readonly caller: string;
  readonly isBound: boolean;
  /** The machine time at which the stream ends. */
  readonly until: number;
};

const event = (name: (typeof LIVE_EVENTS)[number], data: object): string => `event: ${name}\n${dataEvent(data)}`;

/** Sends what happens, as it happens (contract 43.12). */
@Controller()
export class LiveController {
  private readonly streams = new Set<Watcher>();

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
      'each process every ten. Auditors get the events of the tenant that are appended to the log, and those of no ' +
      'tenant what the audits of the log have found. The stream ends with the token, which is checked again every five seconds. Lines that begin with a colon are comments.',
    query: queryShapeOf(LiveQuery),
    success: { status: 200, description: 'The stream', events: LIVE_DATA, eventNames: LIVE_EVENTS, isComputed: true },
    problems: [],
  })
  async watch(request: OperationRequest<{ query: LiveQuery }>, reply: FastifyReply): Promise<void> {
    const watcher = watcherOf(request);
    if (!this.hasRoomFor(watcher))
      throw new Problem(
        'temporarily-unavailable',
        'This process has as many live streams as it opens for you, or in all. Close one of them.',
      );
    const cancel = after(watcher.until - machineTime() + GRACE, () => reply.raw.destroy());
    reply.raw.once('close', cancel);
    await sendEventStream(reply, 200, {
      parts: this.parts(watcher),
      first: () => ': the stream begins\n\n',
      eventsOf: (part) => part,
      last: ': the stream has ended\n\n',
      // The client connects again, and then learns more.
      failure: () => event('end', { reason: 'unavailable' }),
    });
  }

  private hasRoomFor({ caller, isBound }: Watcher): boolean {
    const streams = [...this.streams];
    return (
      streams.length < MAX_STREAMS &&
      streams.filter((one) => one.caller === caller).length < MAX_OF_CALLER &&
      (!isBound || streams.filter((one) => one.isBound).length < MAX_BOUND)
    );
  }

  private async *parts(watcher: Watcher): AsyncGenerator<string, undefined> {
    this.streams.add(watcher);
    try {
      // The response begins at once, also if nothing happens.
      yield ': watching\n\n';
      yield* this.shown(watcher);
    } finally {
      this.streams.delete(watcher);
    }
    return undefined;
  }

  private async *shown(watcher: Watcher): AsyncGenerator<string> {
    const { isOperator, isAuditor, isBound, until } = watcher;
    const [isStateDue, areSamplesDue] = [every(STATE_EVERY), every(SAMPLES_EVERY)];
    const sent = new Map<string, number>();
    let position: number | null = null;
    for (;;) {
      const isDue = isStateDue();
      const ended = isDue ? await this.whyEnded(watcher) : null;
      if (ended) {
        yield event('end', { reason: ended });
        return;
      }
      if (isOperator && isDue) yield event('state', await this.state.read());
      if (areSamplesDue()) {
        if (isOperator) yield* this.samples(sent);
        // Operators get it with the state.
        else if (!isBound) yield* this.integrity();
      }
      if (isAuditor) {
        // Whoever may read all tenants may learn how much they write. Others miss no event, and are told of none that is missing.
        for (let part = 0, more = true; more && part < MAX_PARTS; part++) {
          const read: Appended = await this.queries.execute(new ReadAppended(position, isOperator));
          const data = read.events.filter(({ tenant }) => watcher.tenant === null || tenant === watcher.tenant);
          if (data.length > 0 || (isOperator && read.more)) yield event('appended', { data, more: isOperator && read.more });
          ({ position } = read);
          more = !isOperator && read.more;
        }
      }
      const isOver = machineTime() >= until;
      if (!isOver) await pause(Math.min(STEP, until - machineTime()), this.state.signal);
      if (isOver || this.state.signal.aborted) {
        yield event('end', { reason: isOver ? 'time' : 'stopping' });
        return;
      }
    }
  }

  /** `sent` has the number of the last sample that was sent of each process. */
  private async *samples(sent: Map<string, number>): AsyncGenerator<string> {
    const processes = (await this.state.processes()).flatMap(({ id, samples: all }) => {
      const samples = samplesAfter(all, sent.get(id) ?? 0);
      sent.set(id, all.taken);
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
  const { subject: caller, tenant: bound } = call.caller;
  return {
    ...rights,
    caller,
    isBound: bound !== undefined,
    tenant: tenantOfLog(call),
    token,
    until: machineTime() + secondsOf(call.query) * 1_000,
  };
};

/** Returns a function that returns true at its first call, and then once in each interval. */
const every = (milliseconds: number): (() => boolean) => {
  let next = -Infinity;
  return () => {
    const now = machineTime();
    if (now < next) return false;
    next = now + milliseconds;
    return true;
  };
};

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
