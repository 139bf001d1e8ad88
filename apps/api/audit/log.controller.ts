import { Controller } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import type { FastifyReply } from 'fastify';
import { FindInHistory } from '../../../libs/application/history/find.queries.js';
import { GetRequestConsequences, ListLog, type CursorRejection, type LogPage } from '../../../libs/application/history/log.queries.js';
import { isRejection } from '../../../libs/eventsourcing/decider.js';
import { withScope } from '../http/admission/access.js';
import type { OperationRequest } from '../http/call.js';
import { digestTag } from '../http/collections.js';
import { Operation } from '../http/nest/operation.decorator.js';
import { fieldProblem } from '../http/problems/problem.js';
import { PRIVATE_REVALIDATE, sendRead } from '../http/responses.js';
import { queryShapeOf } from '../http/validation/query-shape.js';
import { CONSEQUENCES_EXAMPLE, FOUND_EXAMPLE, LOG_EXAMPLE } from './audit.examples.js';
import { auditorOf, tenantOfLog } from './auditor.js';
import {
  AuditedLog,
  ConsequencesQuery,
  FindQuery,
  FoundItems,
  logFilter,
  LogQuery,
  logRange,
  RequestConsequences,
  utcTime,
} from './log.dto.js';

/** The fields that all operations of this controller share. Each read is recorded as a security event (contract 35.10). */
const AUDIT = { access: withScope('audit:read'), security: 'audit-read', tag: 'Audit', method: 'GET', problems: [] } as const;

/** Reads the log for auditors (contract 35.13, 35.14, 35.16). */
@Controller()
export class LogController {
  constructor(private readonly queries: QueryBus) {}

  @Operation({
    ...AUDIT,
    id: 'listAuditedEvents',
    path: '/v1/audit/events',
    summary: 'Read the log',
    description:
      'Returns the events that match all query parameters, in the order of the log. ' +
      'A request searches at most 10,000 events of the log, and with `changed` about a second, ' +
      'so a page may be short or empty although later events match.',
    query: queryShapeOf(LogQuery),
    success: { status: 200, description: 'A page of events', schema: AuditedLog, example: LOG_EXAMPLE },
  })
  async list({ call }: OperationRequest<{ query: LogQuery }>, reply: FastifyReply): Promise<void> {
    const { isPersonalShown } = auditorOf(call);
    const filter = logFilter(call.query, tenantOfLog(call));
    send(reply, await this.queries.execute(new ListLog(filter, logRange(call.query), isPersonalShown, call.query?.changed)));
  }

  @Operation({
    ...AUDIT,
    id: 'getRequestConsequences',
    path: '/v1/audit/requests/{requestId}',
    idForm: 'case-sensitive',
    summary: 'Read the consequences of a request',
    description:
      'Returns the events that the request caused, directly or indirectly. ' +
      'Each event has its changes, its topic message and its deliveries.',
    query: queryShapeOf(ConsequencesQuery),
    success: { status: 200, description: 'A page of events', schema: RequestConsequences, example: CONSEQUENCES_EXAMPLE },
  })
  async consequences({ call }: OperationRequest<{ query: ConsequencesQuery }>, reply: FastifyReply): Promise<void> {
    const { tenant, isPersonalShown } = auditorOf(call);
    const from = call.query?.from === undefined ? undefined : utcTime(call.query.from);
    send(reply, await this.queries.execute(new GetRequestConsequences(call.id, tenant, logRange(call.query), isPersonalShown, from)));
  }

  @Operation({
    ...AUDIT,
    id: 'findInHistory',
    path: '/v1/audit/find',
    summary: 'Find a stream or a request',
    description:
      'Returns what a text stands for: the streams of the resources with this name, id or number, or the request that has caused events. ' +
      'Names must be exact. Names of accounts are found only by operators, by their digests: no personal value is read.',
    query: queryShapeOf(FindQuery),
    success: { status: 200, description: 'What was found', schema: FoundItems, example: FOUND_EXAMPLE },
  })
  async find({ call }: OperationRequest<{ query: FindQuery }>, reply: FastifyReply): Promise<void> {
    const { isPersonalShown } = auditorOf(call);
    const json = JSON.stringify({
      data: await this.queries.execute(new FindInHistory(call.query.text, tenantOfLog(call), isPersonalShown)),
    });
    sendRead(reply, json, digestTag(json), PRIVATE_REVALIDATE);
  }
}

/** Sends a page of the log. Throws a 400 problem if `after` is not a cursor from a response for this tenant (contract 35.13). */
const send = (reply: FastifyReply, page: LogPage<unknown> | CursorRejection): void => {
  if (isRejection(page))
    throw fieldProblem('invalid-request', [
      { field: 'after', message: 'must be a value of next from an earlier response for this tenant', code: 'INVALID_FORMAT' },
    ]);
  const json = JSON.stringify(page);
  sendRead(reply, json, digestTag(json), PRIVATE_REVALIDATE);
};
