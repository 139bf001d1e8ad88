import { describe, expect, it } from '@jest/globals';
import { specification } from '../../eventsourcing/testing/specification.js';
import type { WebhookId } from '../ids.js';
import { webhookDecider } from './webhook.decider.js';
import type { DisabledReason, WebhookStatus, WebhookTerms } from './webhook.events.js';

const webhook = specification(webhookDecider);
const webhookId = 'webhook-1' as WebhookId;
const terms: WebhookTerms = { url: 'https://shop.example.com/hooks', events: ['order.statusChanged', 'payment.succeeded'], ordered: false };
const moved: WebhookTerms = { ...terms, url: 'https://shop.example.com/other' };

const registered = { type: 'WebhookRegistered', data: terms } as const;
const revised = (as: WebhookTerms) => ({ type: 'WebhookRevised', data: as }) as const;
const rotated = (secret: number, rotationId: string) => ({ type: 'WebhookSecretRotated', data: { secret, rotationId } }) as const;
const disabled = (reason: DisabledReason) => ({ type: 'WebhookDisabled', data: { reason } }) as const;
const enabled = { type: 'WebhookEnabled', data: {} } as const;
const removed = { type: 'WebhookRemoved', data: {} } as const;

const register = (as: WebhookTerms = terms) => ({ type: 'CreateWebhook', data: { webhookId, ...as } }) as const;
const revise = (as: WebhookTerms, status?: WebhookStatus) =>
  ({ type: 'UpdateWebhook', data: { webhookId, ...as, ...(status && { status }) } }) as const;
const rotate = (rotationId: string) => ({ type: 'RotateWebhookSecret', data: { webhookId, rotationId } }) as const;
const disable = (reason: 'gone' | 'failing', url = terms.url) => ({ type: 'DisableWebhook', data: { webhookId, reason, url } }) as const;
const remove = { type: 'DeleteWebhook', data: { webhookId } } as const;

describe('registering an endpoint', () => {
  it('is recorded with the terms that its owner chose', () => webhook.given().when(register()).then(registered));
  it('sorts the event types', () =>
    webhook
      .given()
      .when(register({ ...terms, events: ['payment.succeeded', 'order.statusChanged'] }))
      .then(registered));
  it('is rejected the second time', () => webhook.given(registered).when(register()).thenRejected('webhook_exists'));
  it('is rejected after the endpoint was removed', () =>
    webhook.given(registered, removed).when(register()).thenRejected('webhook_exists'));
});

describe('revising an endpoint', () => {
  it('records the new terms', () => webhook.given(registered).when(revise(moved)).then(revised(moved)));
  it('changes nothing when nothing is new', () => webhook.given(registered).when(revise(terms, 'enabled')).thenNothing());
  it('changes nothing when only the order of the event types differs', () =>
    webhook
      .given(registered)
      .when(revise({ ...terms, events: ['payment.succeeded', 'order.statusChanged'] }))
      .thenNothing());
  it('enables a disabled endpoint again', () =>
    webhook.given(registered, disabled('failing')).when(revise(moved, 'enabled')).then(revised(moved), enabled));
  it('disables the endpoint when requested', () => webhook.given(registered).when(revise(terms, 'disabled')).then(disabled('requested')));
  it('leaves a disabled endpoint disabled when the status is absent', () =>
    webhook.given(registered, disabled('gone')).when(revise(moved)).then(revised(moved)));
  it('keeps the reason of an endpoint that is already disabled', () =>
    webhook.given(registered, disabled('gone')).when(revise(terms, 'disabled')).thenNothing());
  it.each([
    ['never registered', []],
    ['removed', [registered, removed]],
  ])('is rejected for an endpoint that was %s', (_, events) =>
    webhook
      .given(...events)
      .when(revise(terms))
      .thenRejected('webhook_not_found'),
  );
});

describe('rotating a secret', () => {
  it('makes the second secret the current one', () => webhook.given(registered).when(rotate('a')).then(rotated(2, 'a')));
  it('numbers the secrets consecutively', () => webhook.given(registered, rotated(2, 'a')).when(rotate('b')).then(rotated(3, 'b')));
  it('is recorded once per request, even when the request is repeated after another rotation', () =>
    webhook.given(registered, rotated(2, 'a'), rotated(3, 'b')).when(rotate('a')).thenNothing());
  it('works while the endpoint is disabled', () => webhook.given(registered, disabled('gone')).when(rotate('a')).then(rotated(2, 'a')));
  it('is rejected for a removed endpoint', () => webhook.given(registered, removed).when(rotate('a')).thenRejected('webhook_not_found'));
});

describe('disabling an endpoint', () => {
  it.each(['gone', 'failing'] as const)('is recorded with the reason %s', (reason) =>
    webhook.given(registered).when(disable(reason)).then(disabled(reason)),
  );
  it('changes nothing when it is already disabled', () =>
    webhook.given(registered, disabled('requested')).when(disable('gone')).thenNothing());
  it('is possible again after it was enabled', () =>
    webhook.given(registered, disabled('gone'), enabled).when(disable('gone')).then(disabled('gone')));
  it('changes nothing when its URL has changed meanwhile', () =>
    webhook.given(registered, revised(moved)).when(disable('gone', terms.url)).thenNothing());
  it('changes nothing when it was removed or never registered', () => {
    webhook.given(registered, removed).when(disable('gone')).thenNothing();
    webhook.given().when(disable('gone')).thenNothing();
  });
});

describe('removing an endpoint', () => {
  it('is recorded', () => webhook.given(registered).when(remove).then(removed));
  it('is rejected the second time', () => webhook.given(registered, removed).when(remove).thenRejected('webhook_not_found'));
  it('keeps the tenant', () => expect(webhook.given(registered, removed).state).toEqual({ kind: 'removed', tenant: 'shared' }));
});
