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

const register = (as: WebhookTerms = terms) => ({ type: 'RegisterWebhook', data: { webhookId, ...as } }) as const;
const revise = (as: WebhookTerms, status?: WebhookStatus) =>
  ({ type: 'ReviseWebhook', data: { webhookId, ...as, ...(status && { status }) } }) as const;
const rotate = (rotationId: string) => ({ type: 'RotateWebhookSecret', data: { webhookId, rotationId } }) as const;
const disable = (reason: 'gone' | 'failing', url = terms.url) => ({ type: 'DisableWebhook', data: { webhookId, reason, url } }) as const;
const remove = { type: 'RemoveWebhook', data: { webhookId } } as const;

describe('registering an endpoint', () => {
  it('is recorded with what its owner said', () => webhook.given().when(register()).then(registered));
  it('puts the events in one order, however they were asked for', () =>
    webhook
      .given()
      .when(register({ ...terms, events: ['payment.succeeded', 'order.statusChanged'] }))
      .then(registered));
  it('happens once', () => webhook.given(registered).when(register()).thenRejected('webhook_exists'));
  it('never happens again after it was removed', () => webhook.given(registered, removed).when(register()).thenRejected('webhook_exists'));
});

describe('revising an endpoint', () => {
  it('records what it is from now on', () => webhook.given(registered).when(revise(moved)).then(revised(moved)));
  it('changes nothing when nothing is new', () => webhook.given(registered).when(revise(terms, 'enabled')).thenNothing());
  it('is not new for another order of the events', () =>
    webhook
      .given(registered)
      .when(revise({ ...terms, events: ['payment.succeeded', 'order.statusChanged'] }))
      .thenNothing());
  it('switches a disabled one on again', () =>
    webhook.given(registered, disabled('failing')).when(revise(moved, 'enabled')).then(revised(moved), enabled));
  it('switches it off when that is asked for', () => webhook.given(registered).when(revise(terms, 'disabled')).then(disabled('requested')));
  it('leaves a disabled one disabled when no status is said', () =>
    webhook.given(registered, disabled('gone')).when(revise(moved)).then(revised(moved)));
  it('leaves a disabled one disabled for the reason it had', () =>
    webhook.given(registered, disabled('gone')).when(revise(terms, 'disabled')).thenNothing());
  it.each([
    ['never registered', []],
    ['removed', [registered, removed]],
  ])('is refused for one that was %s', (_, events) =>
    webhook
      .given(...events)
      .when(revise(terms))
      .thenRejected('webhook_not_found'),
  );
});

describe('rotating a secret', () => {
  it('puts the second one in force', () => webhook.given(registered).when(rotate('a')).then(rotated(2, 'a')));
  it('goes on counting', () => webhook.given(registered, rotated(2, 'a')).when(rotate('b')).then(rotated(3, 'b')));
  it('is done once for one wish, however late it comes again', () =>
    webhook.given(registered, rotated(2, 'a'), rotated(3, 'b')).when(rotate('a')).thenNothing());
  it('works while the endpoint is disabled', () => webhook.given(registered, disabled('gone')).when(rotate('a')).then(rotated(2, 'a')));
  it('is refused for one that is no more', () => webhook.given(registered, removed).when(rotate('a')).thenRejected('webhook_not_found'));
});

describe('an endpoint that does not answer as it should', () => {
  it.each(['gone', 'failing'] as const)('is disabled because it is %s', (reason) =>
    webhook.given(registered).when(disable(reason)).then(disabled(reason)),
  );
  it('is disabled once', () => webhook.given(registered, disabled('requested')).when(disable('gone')).thenNothing());
  it('may be disabled again after it was enabled', () =>
    webhook.given(registered, disabled('gone'), enabled).when(disable('gone')).then(disabled('gone')));
  it('is left alone when it has moved to another address meanwhile', () =>
    webhook.given(registered, revised(moved)).when(disable('gone', terms.url)).thenNothing());
  it('is left alone when it is no more, or never was', () => {
    webhook.given(registered, removed).when(disable('gone')).thenNothing();
    webhook.given().when(disable('gone')).thenNothing();
  });
});

describe('removing an endpoint', () => {
  it('is recorded', () => webhook.given(registered).when(remove).then(removed));
  it('happens once', () => webhook.given(registered, removed).when(remove).thenRejected('webhook_not_found'));
  it('keeps whose it was', () => expect(webhook.given(registered, removed).state).toEqual({ kind: 'removed', tenant: 'shared' }));
});
