import type { Operation } from '../http/operation.js';
import { OWNER_WHEN_STRICT } from '../http/pipeline/access.js';
import { NEW_PAYMENT_EXAMPLE, PAYMENT_EXAMPLE, RECEIPT_EXAMPLE } from './payment.examples.js';
import { paymentShape } from './payment.shape.js';

/** The operations on payments. */
export const PAYMENT_OPERATIONS = {
  createOrderPayment: {
    method: 'POST',
    path: '/v1/orders/{id}/payment',
    access: OWNER_WHEN_STRICT,
    tag: 'Payments',
    summary: 'Pay an order',
    description:
      'Answers processing; read the payment or the order to learn the outcome. A success approves the order; after a failure another payment may start. ' +
      'Card and account numbers go to the payment gateway and are kept nowhere here.',
    body: paymentShape,
    bodyExample: NEW_PAYMENT_EXAMPLE,
    idempotent: true,
    success: { status: 201, description: 'The payment, processing', schema: 'OrderPayment', example: PAYMENT_EXAMPLE },
    problems: ['not-found', 'conflict'],
  },
  getOrderPayment: {
    method: 'GET',
    path: '/v1/orders/{id}/payment',
    access: OWNER_WHEN_STRICT,
    tag: 'Payments',
    summary: 'Read the payment of an order',
    description: 'The latest attempt.',
    success: { status: 200, description: 'The payment', schema: 'OrderPayment', example: { ...PAYMENT_EXAMPLE, status: 'succeeded' } },
    problems: ['not-found'],
  },
  getOrderReceipt: {
    method: 'GET',
    path: '/v1/orders/{id}/receipt',
    access: OWNER_WHEN_STRICT,
    tag: 'Payments',
    summary: 'Read the receipt of an order',
    description: 'There once the order is approved.',
    success: { status: 200, description: 'The receipt', schema: 'Receipt', example: RECEIPT_EXAMPLE },
    problems: ['not-found'],
  },
} as const satisfies Readonly<Record<string, Operation>>;
