import { describe, it } from '@jest/globals';
import type { OrderId, PaymentId, PetId } from '../domain/ids.js';
import type { PaymentTerms } from '../domain/payment-terms.js';
import { processSpecification } from '../eventsourcing/testing/process-specification.js';
import {
  orderApprovalAdoptsPet,
  orderCancellationReleasesPetAndRefunds,
  orderFulfilmentFreesPet,
  orderPaymentStartedRequestsPayment,
  paymentApprovesOrder,
  paymentRefundShowsOnOrder,
  paymentRequestedChargesIt,
  petReservedPlacesOrder,
} from './order.processes.js';

describe('pet-reserved-places-order', () => {
  const process = processSpecification(petReservedPlacesOrder);
  const meta = { stream: 'pet-0190-1' };
  const petId = '0190-1' as PetId;
  const orderId = '0190-2' as OrderId;
  const holder = { kind: 'order', id: orderId } as const;
  const otherwise = { type: 'ReleasePet', data: { petId, holder, to: 'AVAILABLE' } } as const;

  describe('the process of a reserved pet', () => {
    it('places the order with all reserved terms, and releases the pet if the order is rejected', () => {
      const terms = { quantity: 2, userId: 'alice', shipDate: '2026-02-01', unitPrice: '45.00', currency: 'EUR' };
      process
        .given({ type: 'PetReserved', data: { holder, ...terms }, meta })
        .expect({ type: 'CreateOrder', data: { orderId, petId, ...terms }, otherwise });
    });
    it('places the order even if only a quantity was requested', () =>
      process
        .given({ type: 'PetReserved', data: { holder, quantity: 1 }, meta })
        .expect({ type: 'CreateOrder', data: { orderId, petId, quantity: 1 }, otherwise }));
  });

  describe('the process of a released or adopted pet', () => {
    it('sends no command', () =>
      process
        .given(
          { type: 'PetReleased', data: { holder, from: 'PENDING', to: 'AVAILABLE' }, meta },
          { type: 'PetAdopted', data: { holder }, meta },
        )
        .expect());
  });
});

describe('order-payment-started-requests-payment', () => {
  const process = processSpecification(orderPaymentStartedRequestsPayment);
  const meta = { stream: 'order-0190-1' };
  const orderId = '0190-1' as OrderId;
  const paymentId = '0190-2' as PaymentId;
  const terms: PaymentTerms = {
    amount: '90.00',
    currency: 'EUR',
    source: { object: 'bank_account', name: { $sealed: 'c2VhbGVk', subject: 'payment:0190-2' }, number: '*****6789' },
    reference: 'ref-1',
  };

  describe('a payment started on an order', () => {
    it('is requested with the same terms and encrypted personal values', () =>
      process
        .given({ type: 'OrderPaymentStarted', data: { paymentId, ...terms }, meta })
        .expect({ type: 'CreatePayment', data: { paymentId, orderId, ...terms } }));
  });

  describe('a payment that failed', () => {
    it('is not requested again', () =>
      process.given({ type: 'OrderPaymentFailed', data: { paymentId, reason: 'card_declined' }, meta }).expect());
  });
});

describe('payment-requested-charges-it', () => {
  const process = processSpecification(paymentRequestedChargesIt);
  const meta = { stream: 'payment-0190-2' };
  const orderId = '0190-1' as OrderId;

  describe('a requested payment', () => {
    it('is charged', () =>
      process
        .given({
          type: 'PaymentRequested',
          data: { orderId, amount: '90.00', currency: 'EUR', source: { object: 'bank_account', number: '*****6789' }, reference: 'ref-1' },
          meta,
        })
        .expect({ type: 'ChargePayment', data: { paymentId: '0190-2' as PaymentId } }));
  });

  describe('a settled payment', () => {
    it('is not charged again', () =>
      process
        .given(
          { type: 'PaymentSucceeded', data: { orderId }, meta },
          { type: 'PaymentFailed', data: { orderId, reason: 'card_declined' }, meta },
        )
        .expect());
  });
});

describe('payment-approves-order', () => {
  const process = processSpecification(paymentApprovesOrder);
  const meta = { stream: 'payment-0190-2' };
  const orderId = '0190-1' as OrderId;
  const paymentId = '0190-2' as PaymentId;

  describe('a payment that succeeded', () => {
    it('approves its order, or is refunded when the order is closed', () =>
      process.given({ type: 'PaymentSucceeded', data: { orderId }, meta }).expect({
        type: 'ApproveOrder',
        data: { orderId, paymentId },
        otherwise: { type: 'RefundPayment', data: { paymentId } },
      }));
  });

  describe('a payment that failed', () => {
    it('is recorded on its order, which can then be paid again', () =>
      process
        .given({ type: 'PaymentFailed', data: { orderId, reason: 'card_declined' }, meta })
        .expect({ type: 'FailOrderPayment', data: { orderId, paymentId, reason: 'card_declined' } }));
  });

  describe('a refunded payment', () => {
    const refunded = { type: 'PaymentRefunded', data: { orderId }, meta } as const;

    it('causes no command', () => process.given(refunded).expect());

    it('is recorded on its order', () =>
      processSpecification(paymentRefundShowsOnOrder).given(refunded).expect({ type: 'RecordOrderRefund', data: { orderId, paymentId } }));
  });
});

describe('order-approval-adopts-pet', () => {
  const process = processSpecification(orderApprovalAdoptsPet);
  const meta = { stream: 'order-0190-1' };
  const petId = '0190-3' as PetId;

  describe('an approved order', () => {
    it('adopts the pet that is reserved for it', () =>
      process
        .given({ type: 'OrderApproved', data: { petId, paymentId: '0190-2' as PaymentId }, meta })
        .expect({ type: 'AdoptPet', data: { petId, holder: { kind: 'order', id: '0190-1' as OrderId } } }));
  });

  describe('an order that is only placed', () => {
    it('adopts no pet', () => process.given({ type: 'OrderPlaced', data: { petId, quantity: 1 }, meta }).expect());
  });
});

describe('order-cancellation-releases-pet-and-refunds', () => {
  const process = processSpecification(orderCancellationReleasesPetAndRefunds);
  const meta = { stream: 'order-0190-1' };
  const petId = '0190-3' as PetId;
  const paymentId = '0190-2' as PaymentId;
  const release = { type: 'ReleasePet', data: { petId, holder: { kind: 'order', id: '0190-1' as OrderId }, to: 'AVAILABLE' } } as const;

  describe('a cancelled order', () => {
    it('releases its pet', () => process.given({ type: 'OrderCancelled', data: { reason: 'unpaid', petId }, meta }).expect(release));
    it('refunds its payment', () =>
      process
        .given({ type: 'OrderCancelled', data: { reason: 'requested', petId, paymentId }, meta })
        .expect(release, { type: 'RefundPayment', data: { paymentId } }));
  });

  describe('an order removed from reads', () => {
    it('causes no command', () => process.given({ type: 'OrderRemoved', data: { petId, status: 'placed' }, meta }).expect());
  });
});

describe('order-fulfilment-frees-pet', () => {
  const process = processSpecification(orderFulfilmentFreesPet);
  const meta = { stream: 'order-0190-1' };
  const petId = '0190-3' as PetId;
  const release = { type: 'ReleasePet', data: { petId, holder: { kind: 'order', id: '0190-1' as OrderId }, to: 'ADOPTED' } } as const;

  describe('a delivered order', () => {
    it('releases its pet, which stays ADOPTED', () => process.given({ type: 'OrderDelivered', data: { petId }, meta }).expect(release));
  });

  describe('a removed order', () => {
    it('releases its pet when it was shipped', () =>
      process.given({ type: 'OrderRemoved', data: { petId, status: 'shipped' }, meta }).expect(release));
    it.each(['placed', 'approved', 'delivered', 'cancelled'] as const)('causes no command when it was %s', (status) =>
      process.given({ type: 'OrderRemoved', data: { petId, status }, meta }).expect(),
    );
  });
});
