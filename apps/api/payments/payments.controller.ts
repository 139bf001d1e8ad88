import { Controller, Inject } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import type { FastifyReply } from 'fastify';
import { CreateOrderPayment } from '../../../libs/application/payments/payment.commands.js';
import { GetOrderPayment, GetReceipt } from '../../../libs/application/payments/payment.queries.js';
import { isRejection } from '../../../libs/eventsourcing/decider.js';
import { PRIVATE_REVALIDATE, sendCreated, sendRead } from '../http/responses.js';
import type { OperationRequest } from '../http/call.js';
import { Operation } from '../http/nest/operation.decorator.js';
import { OWNER_WHEN_STRICT } from '../http/admission/access.js';
import { Problem } from '../http/problems/problem.js';
import { rejectionProblem } from '../http/problems/rejection-problems.js';
import type { PublicAddress } from '../http/public-address.js';
import { isVisible, visibleOrder } from '../orders/visible-order.js';
import { PUBLIC_ADDRESS } from '../tokens.js';
import { Payment, paymentInput, Receipt, type PaymentBody } from './payment.dto.js';
import { NEW_PAYMENT_EXAMPLE, PAYMENT_EXAMPLE, RECEIPT_EXAMPLE, TEST_INSTRUMENTS } from './payment.examples.js';
import { paymentShape } from './payment.shape.js';

const NO_PAYMENT = 'The order does not exist, or has no payment yet.';
const NO_RECEIPT = 'The order does not exist, or has no receipt yet. It gets one when it is approved.';

@Controller()
export class PaymentsController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
    @Inject(PUBLIC_ADDRESS) private readonly address: PublicAddress,
  ) {}

  @Operation({
    id: 'createOrderPayment',
    method: 'POST',
    path: '/v1/orders/{id}/payment',
    access: OWNER_WHEN_STRICT,
    tag: 'Payments',
    summary: 'Pay an order',
    description:
      'The payment has the status processing at first. To learn the outcome, read the payment or the order. A successful payment approves the order. After a failed payment, the order can be paid again. ' +
      'The service passes card and account numbers to the payment gateway. It does not store them.',
    body: paymentShape,
    bodyExample: NEW_PAYMENT_EXAMPLE,
    furtherBodyExamples: TEST_INSTRUMENTS,
    idempotent: true,
    success: { status: 201, description: 'The payment, with the status processing', schema: Payment, example: PAYMENT_EXAMPLE },
    problems: ['order_not_found', 'payment_processing', 'order_not_payable'],
  })
  async create({ call }: OperationRequest<{ body: PaymentBody }>, reply: FastifyReply): Promise<void> {
    // The command does not check who owns the order. If `ownerRestriction` is null, the caller may pay any order.
    if (call.ownerRestriction !== null) await visibleOrder(this.queries, call);
    const outcome = await this.commands.execute(new CreateOrderPayment(call.id, paymentInput(call.body), call.context()));
    if (isRejection(outcome)) throw rejectionProblem(outcome);
    sendCreated(reply, outcome, `${this.address.url}/v1/orders/${call.id}/payment`);
  }

  @Operation({
    id: 'getOrderPayment',
    method: 'GET',
    path: '/v1/orders/{id}/payment',
    access: OWNER_WHEN_STRICT,
    tag: 'Payments',
    summary: 'Read the payment of an order',
    description: 'Returns the latest payment of the order. Before the first payment, the response is 404.',
    success: { status: 200, description: 'The payment', schema: Payment, example: { ...PAYMENT_EXAMPLE, status: 'succeeded' } },
    problems: [{ notFound: NO_PAYMENT }],
  })
  async get({ call }: OperationRequest, reply: FastifyReply): Promise<void> {
    const view = await this.queries.execute(new GetOrderPayment(call.id, call.tenant));
    if (!view || !isVisible(view, call.ownerRestriction)) throw new Problem('not-found', NO_PAYMENT);
    sendRead(reply, view.json, view.etag, PRIVATE_REVALIDATE);
  }

  @Operation({
    id: 'getOrderReceipt',
    method: 'GET',
    path: '/v1/orders/{id}/receipt',
    access: OWNER_WHEN_STRICT,
    tag: 'Payments',
    summary: 'Read the receipt of an order',
    description: 'The receipt exists once the order is approved. Before that, the response is 404.',
    success: { status: 200, description: 'The receipt', schema: Receipt, example: RECEIPT_EXAMPLE },
    problems: [{ notFound: NO_RECEIPT }],
  })
  async receipt({ call }: OperationRequest, reply: FastifyReply): Promise<void> {
    const view = await this.queries.execute(new GetReceipt(call.id, call.tenant, this.address.url));
    if (!view || !isVisible(view, call.ownerRestriction)) throw new Problem('not-found', NO_RECEIPT);
    sendRead(reply, view.json, view.etag, PRIVATE_REVALIDATE);
  }
}
