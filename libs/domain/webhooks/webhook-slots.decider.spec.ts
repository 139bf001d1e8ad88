import { describe, expect, it } from '@jest/globals';
import { specification } from '../../eventsourcing/testing/specification.js';
import type { WebhookId } from '../ids.js';
import { MAX_WEBHOOKS, webhookSlotsDecider } from './webhook-slots.decider.js';
import type { WebhookTerms } from './webhook.events.js';

const slots = specification(webhookSlotsDecider);
const terms: WebhookTerms = { url: 'https://shop.example.com/hooks', events: ['order.statusChanged', 'payment.succeeded'], ordered: false };
const idOf = (nth: number): WebhookId => `webhook-${nth}` as WebhookId;
const ids = (count: number): readonly WebhookId[] => Array.from({ length: count }, (_, nth) => idOf(nth));

const counted = (count: number) => ({ type: 'WebhookSlotsCounted', data: { webhookIds: ids(count) } }) as const;
const claimed = (nth: number) => ({ type: 'WebhookSlotClaimed', data: { webhookId: idOf(nth), ...terms } }) as const;
const freed = (nth: number) => ({ type: 'WebhookSlotFreed', data: { webhookId: idOf(nth) } }) as const;
const claim = (nth: number, registered: readonly WebhookId[] = []) =>
  ({ type: 'ClaimWebhookSlot', data: { webhookId: idOf(nth), registered, ...terms } }) as const;
const free = (nth: number) => ({ type: 'FreeWebhookSlot', data: { webhookId: idOf(nth) } }) as const;

describe('claiming a slot for an endpoint', () => {
  it('is recorded with all that registration needs', () => slots.given().when(claim(1)).then(claimed(1)));
  it('is recorded once per endpoint', () => slots.given(claimed(1)).when(claim(1)).thenNothing());
  it('is rejected once all slots are claimed', () =>
    slots
      .given(...ids(MAX_WEBHOOKS).map((_, nth) => claimed(nth)))
      .when(claim(MAX_WEBHOOKS))
      .thenRejected('too_many_webhooks'));
  it('is possible again once a slot is freed', () =>
    slots
      .given(...ids(MAX_WEBHOOKS).map((_, nth) => claimed(nth)), freed(7))
      .when(claim(MAX_WEBHOOKS))
      .then(claimed(MAX_WEBHOOKS)));
  it('counts the endpoints that were registered before slots were recorded', () =>
    slots
      .given()
      .when(claim(50, ids(49)))
      .then(counted(49), claimed(50)));
  it('is rejected when the endpoints from before slots were recorded reach or exceed the limit', () => {
    slots
      .given()
      .when(claim(99, ids(MAX_WEBHOOKS)))
      .thenRejected('too_many_webhooks');
    slots.given(counted(84), freed(0)).when(claim(99)).thenRejected('too_many_webhooks');
  });
  it('counts endpoints from before slots were recorded only in the first event of the stream', () =>
    slots
      .given(counted(49))
      .when(claim(50, ids(50)))
      .then(claimed(50)));
});

describe('freeing a slot', () => {
  it('is recorded once', () => {
    slots.given(claimed(1)).when(free(1)).then(freed(1));
    slots.given(claimed(1), freed(1)).when(free(1)).thenNothing();
  });
  it('changes nothing for an endpoint without a slot', () => slots.given().when(free(1)).thenNothing());
  it('keeps the tenant', () => expect(slots.given(claimed(1), freed(1)).state).toEqual({ tenant: 'shared', slots: [] }));
});
