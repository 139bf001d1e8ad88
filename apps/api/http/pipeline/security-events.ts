import type { CommandBus } from '@nestjs/cqrs';
import type { FastifyInstance, FastifyReply, FastifyRequest, onResponseHookHandler, onSendHookHandler } from 'fastify';
import type { Logger } from 'pino';
import { RecordSecurityEvent } from '../../../../libs/application/security/security.commands.js';
import type { SecurityEventData, SecurityKind } from '../../../../libs/domain/security/security.decider.js';
import { SHARED_POOL } from '../../../../libs/eventsourcing/message.js';
import type { Clock } from '../../../../libs/eventsourcing/ports/clock.port.js';
import { continueTrace } from '../../../../libs/eventsourcing/ports/tracing.port.js';
import type { OperationRecord } from '../operation.js';

/** Records a security event. Resolves when the event is stored. Never rejects: if storing fails, logs the error and resolves. */
export type RecordEvent = (data: SecurityEventData, request: RecordSecurityEvent['request']) => Promise<void>;

/** Creates the recorder of security events. */
export const createEventRecorder =
  (commands: CommandBus, logger: Pick<Logger, 'error'>): RecordEvent =>
  async (data, request) => {
    try {
      await commands.execute(new RecordSecurityEvent(data, request));
    } catch (error) {
      logger.error({ err: error }, 'a security event could not be recorded');
    }
  };

/** The minimum number of milliseconds between two events for denied requests of the same kind, operation and status. */
const SAMPLING_INTERVAL = 1_000;

/** `at` is the time of the last event in milliseconds. `skipped` is the number of denied requests since that event. */
type Sample = { at: number; skipped: number };

/** The hooks that record the security events of one operation. */
export type SecurityHooks = { readonly onSend: onSendHookHandler | null; readonly onResponse: onResponseHookHandler };

/**
 * Returns a function that makes the hooks of an operation (contract 34.1). The event of a success is stored before its
 * response is sent. The events of denied requests are sampled, and responses do not wait for them. An event that cannot
 * be stored does not change the response.
 */
export const securityEvents = (
  server: FastifyInstance,
  record: RecordEvent,
  clock: Clock,
): ((operation: OperationRecord) => SecurityHooks) => {
  const recordRequest = createRequestRecorder(record);
  const sample = createSampler(clock);
  server.decorateRequest('signedIn');
  server.decorateRequest('subject');
  return (operation) => {
    const { security } = operation;
    return {
      onSend: security
        ? (request, reply, payload, done) => {
            if (!isSuccess(security, request, reply)) return done(null, payload);
            recordRequest(security, operation, request, {}).then(() => done(null, payload), done);
          }
        : null,
      onResponse(request, { statusCode: status }, done) {
        if (status === 401 || status === 403) {
          const kind = operation.security === 'sign-in' && status === 401 ? 'sign-in-failed' : 'request-denied';
          const count = sample(`${kind} ${operation.id} ${status}`);
          if (count !== null) void recordRequest(kind, operation, request, { status, count });
        }
        done();
      },
    };
  };
};

/**
 * Returns whether a response is a success that is recorded. A `password-change` without a password and a `revocation`
 * without a token change nothing, nor does a HEAD, so they are not recorded. For an `audit-read`, a 304 is also a success: the auditor learns
 * that nothing has changed.
 */
const isSuccess = (security: SecurityKind, request: FastifyRequest, { statusCode }: FastifyReply): boolean =>
  (statusCode < 300 &&
    (request.method !== 'HEAD' || security === 'audit-read') &&
    (security !== 'password-change' || hasPassword(request)) &&
    (security !== 'revocation' || hasToken(request))) ||
  (statusCode === 304 && security === 'audit-read');

const createRequestRecorder =
  (record: RecordEvent) =>
  (kind: SecurityKind, operation: OperationRecord, request: FastifyRequest, more: Partial<SecurityEventData>): Promise<void> => {
    const { id: requestId, ip: address } = request;
    // A request that admission has denied has no call.
    const call = request.call as FastifyRequest['call'] | undefined;
    const target = call?.id === '' ? undefined : call?.id;
    const reason = call?.reason;
    const data = {
      kind,
      operation: operation.id,
      actor: actorOf(request),
      address,
      ...(target !== undefined && { target }),
      ...(reason !== undefined && { reason }),
      ...more,
    };
    return record(data, continueTrace({ tenant: call?.tenant ?? SHARED_POOL, requestId }, request.span?.traceparent));
  };

/**
 * Returns a function that is called once per denied request. The function returns null while SAMPLING_INTERVAL has not
 * passed since the last event. After that, it returns the number of denied requests that the next event represents.
 */
export const createSampler = (clock: Clock): ((key: string) => number | null) => {
  const samples = new Map<string, Sample>();
  return (key) => {
    const now = clock.elapsed();
    const last = samples.get(key);
    if (last && now - last.at < SAMPLING_INTERVAL) {
      last.skipped++;
      return null;
    }
    samples.set(key, { at: now, skipped: 0 });
    return 1 + (last?.skipped ?? 0);
  };
};

/** The account that signed in, or the subject of the token. A denied request may have neither. */
const actorOf = ({ signedIn, subject }: FastifyRequest): string => signedIn ?? subject ?? 'anonymous';

/** Whether the request has a token. Without one, the sign-out of the classic variant ends no session (contract 39.8). */
const hasToken = ({ subject }: FastifyRequest): boolean => subject !== undefined;

const hasPassword = ({ call }: FastifyRequest): boolean => (call.body as { readonly password?: unknown }).password !== undefined;

declare module 'fastify' {
  interface FastifyRequest {
    /** The account that this request signed in. */
    signedIn: string | undefined;
    /** The subject of the token, also if the token does not permit the request. */
    subject: string | undefined;
  }
}
