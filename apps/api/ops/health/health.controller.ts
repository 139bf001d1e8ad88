import { Controller } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import type { FastifyReply } from 'fastify';
import { GetStoreHealth } from '../../../../libs/application/audit/store-health.query.js';
import { VERSION } from '../../installed.js';
import { OPERATORS } from '../../http/admission/access.js';
import type { OperationRequest } from '../../http/call.js';
import { digestTag } from '../../http/collections.js';
import { Operation } from '../../http/nest/operation.decorator.js';
import { PRIVATE_REVALIDATE, sendRead } from '../../http/responses.js';
import { StoreHealth } from './health.dto.js';
import { STORE_HEALTH_EXAMPLE } from './health.examples.js';

@Controller()
export class StoreHealthController {
  constructor(private readonly queries: QueryBus) {}

  @Operation({
    id: 'getStoreHealth',
    method: 'GET',
    path: '/v1/ops/health',
    access: OPERATORS,
    wholeStore: true,
    tag: 'Audit',
    summary: 'Read the health of the log',
    description: 'For operators whose token has no tenant. Returns the faults that audits of the log have found, and the broken streams.',
    success: { status: 200, description: 'The health of the log', schema: StoreHealth, example: STORE_HEALTH_EXAMPLE },
    problems: [],
  })
  async get(_: OperationRequest, reply: FastifyReply): Promise<void> {
    const json = JSON.stringify({ version: VERSION, ...(await this.queries.execute(new GetStoreHealth())) });
    sendRead(reply, json, digestTag(json), PRIVATE_REVALIDATE);
  }
}
