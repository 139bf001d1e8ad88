import { Controller, Inject } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import type { FastifyReply } from 'fastify';
import {
  GetDelivery,
  GetRedelivery,
  ListDeliveries,
  Redeliver,
  RedeliverSince,
  SendTest,
} from '../../../libs/application/deliveries/delivery.requests.js';
import { isRejection } from '../../../libs/eventsourcing/decider.js';
import { PRIVATE_REVALIDATE, sendAccepted, sendRead } from '../http/answers.js';
import type { Asking } from '../http/call.js';
import { collectionJson, digestTag, pageAsked } from '../http/collections.js';
import { Operation } from '../http/nest/operation.decorator.js';
import { Problem } from '../http/problems/problem.js';
import type { PublicAddress } from '../http/public-address.js';
import { refusalProblem } from '../http/problems/refusals.js';
import { PUBLIC_ADDRESS } from '../tokens.js';

@Controller()
export class DeliveriesController {
  constructor(
    @Inject(CommandBus) private readonly commands: CommandBus,
    @Inject(QueryBus) private readonly queries: QueryBus,
    @Inject(PUBLIC_ADDRESS) private readonly address: PublicAddress,
  ) {}

  @Operation('testWebhook')
  async test({ call }: Asking<'testWebhook'>, reply: FastifyReply): Promise<void> {
    const outcome = await this.commands.execute(new SendTest(call.id, call.context()));
    if (isRejection(outcome)) throw refusalProblem(outcome);
    sendAccepted(reply, outcome, this.at(call.id, `deliveries/${outcome.id}`));
  }

  @Operation('listWebhookDeliveries')
  async list({ call }: Asking<'listWebhookDeliveries'>, reply: FastifyReply): Promise<void> {
    const { id, query, tenant } = call;
    const asked = pageAsked(query);
    const filter = query.status === undefined ? {} : { status: query.status };
    const found = await this.queries.execute(new ListDeliveries(id, filter, asked.page, asked.limit, tenant));
    if (!found) throw new Problem('not-found', 'There is no such webhook endpoint.');
    const json = collectionJson(found, asked);
    sendRead(reply, json, digestTag(json), PRIVATE_REVALIDATE);
  }

  @Operation('getWebhookDelivery')
  async get({ call }: Asking<'getWebhookDelivery'>, reply: FastifyReply): Promise<void> {
    const view = await this.queries.execute(new GetDelivery(call.id, call.part, call.tenant));
    if (!view) throw new Problem('not-found', 'There is no such delivery of this webhook endpoint.');
    sendRead(reply, view.json, view.etag, PRIVATE_REVALIDATE);
  }

  @Operation('redeliverWebhookDelivery')
  async redeliver({ call }: Asking<'redeliverWebhookDelivery'>, reply: FastifyReply): Promise<void> {
    const outcome = await this.commands.execute(new Redeliver(call.id, call.part, call.context()));
    if (isRejection(outcome)) throw refusalProblem(outcome);
    sendAccepted(reply, outcome, this.at(call.id, `deliveries/${outcome.id}`));
  }

  @Operation('redeliverToWebhook')
  async redeliverSince({ call }: Asking<'redeliverToWebhook'>, reply: FastifyReply): Promise<void> {
    const { since, until } = call.body;
    const wish = { since: inUtc(since), ...(until !== undefined && { until: inUtc(until) }) };
    const outcome = await this.commands.execute(new RedeliverSince(call.id, wish, call.context()));
    if (isRejection(outcome)) throw refusalProblem(outcome);
    sendAccepted(reply, outcome, this.at(call.id, `redelivery/${outcome.id}`));
  }

  @Operation('getWebhookRedelivery')
  async redelivery({ call }: Asking<'getWebhookRedelivery'>, reply: FastifyReply): Promise<void> {
    const view = await this.queries.execute(new GetRedelivery(call.id, call.part, call.tenant));
    if (!view) throw new Problem('not-found', 'There is no such redelivery of this webhook endpoint.');
    sendRead(reply, view.json, view.etag, PRIVATE_REVALIDATE);
  }

  private at(id: string, part: string): string {
    return `${this.address.url}/v1/webhooks/${id}/${part}`;
  }
}

/** Times are kept, and compared, in one form. */
const inUtc = (time: string): string => new Date(time).toISOString();
