import { describe, expect, it } from '@jest/globals';
import type { WebhookEvent, WebhookTerms } from '../domain/webhooks/webhook.events.js';
import { foldProjection } from '../eventsourcing/testing/fold-projection.js';
import type { GivenEvent } from '../eventsourcing/testing/recorded.js';
import { webhooksProjection } from './webhooks.projection.js';

const at = (second: number) => ({ time: `2026-01-02T03:04:0${second}.000Z` });
const terms: WebhookTerms = { url: 'https://shop.example.com/hooks', events: ['order.statusChanged'], ordered: true };
const other: WebhookTerms = { url: 'https://shop.example.com/other', events: ['pet.adopted'], ordered: false };

const registered = { type: 'WebhookRegistered', data: terms, meta: at(1) } as const;
const revised = { type: 'WebhookRevised', data: other, meta: at(2) } as const;
const rotated = { type: 'WebhookSecretRotated', data: { secret: 2, rotationId: 'rotation-canary' }, meta: at(3) } as const;
const disabled = { type: 'WebhookDisabled', data: { reason: 'failing' }, meta: at(4) } as const;
const enabled = { type: 'WebhookEnabled', data: {}, meta: at(5) } as const;
const removed = { type: 'WebhookRemoved', data: {}, meta: at(6) } as const;

const fold = (...events: GivenEvent<WebhookEvent>[]) => foldProjection(webhooksProjection, events);
const json = (...events: GivenEvent<WebhookEvent>[]) => JSON.stringify(fold(...events)?.body);

describe('a registered endpoint', () => {
  it('has all members in the documented order', () =>
    expect(json(registered)).toBe(
      '{"id":"1","url":"https://shop.example.com/hooks","events":["order.statusChanged"],"ordered":true,"status":"enabled",' +
        '"createdAt":"2026-01-02T03:04:01.000Z","updatedAt":"2026-01-02T03:04:01.000Z"}',
    ));
  it('has its tenant as a field, and signs with the first secret', () =>
    expect(fold({ ...registered, meta: { ...registered.meta, tenant: 'acme' } })?.fields).toEqual({
      tenant: 'acme',
      status: 'enabled',
      createdAt: '2026-01-02T03:04:01.000Z',
      secret: 1,
      rotatedAt: null,
      enabledAt: '2026-01-02T03:04:01.000Z',
    }));
});

describe('an endpoint', () => {
  it('has the revised terms and the time of the revision', () =>
    expect(fold(registered, revised)?.body).toMatchObject({ ...other, createdAt: at(1).time, updatedAt: at(2).time, status: 'enabled' }));
  it('has the number and rotation time of its secret as fields, but not in its body', () => {
    expect(fold(registered, rotated)?.fields).toMatchObject({ secret: 2, rotatedAt: at(3).time });
    expect(json(registered, rotated)).not.toMatch(/secret|rotat/);
  });
  it('has the times of the rotations whose former secrets still sign, latest first', () => {
    const again = (secret: number, time: string) => ({ ...rotated, data: { secret, rotationId: time }, meta: { time } });
    const [second, third] = [again(3, '2026-01-03T03:04:02.999Z'), again(4, '2026-01-03T03:04:03.000Z')];
    expect(fold(registered, rotated, second)?.fields).toMatchObject({ secret: 3, rotatedAt: `${second.meta.time} ${at(3).time}` });
    expect(fold(registered, rotated, second, third)?.fields).toMatchObject({
      secret: 4,
      rotatedAt: `${third.meta.time} ${second.meta.time}`,
    });
  });
  it('has at most the last three rotation times, because only four secrets sign', () => {
    const at = Array.from({ length: 31 }, (_, minute) => `2026-01-02T03:${String(minute + 10)}:00.000Z`);
    const rotations = at.map((time, index) => ({ ...rotated, data: { secret: index + 2, rotationId: time }, meta: { time } }));
    expect(fold(registered, ...rotations)?.fields).toMatchObject({ secret: 32, rotatedAt: at.slice(-3).reverse().join(' ') });
  });
  it('has the reason why it is disabled', () => {
    const document = fold(registered, disabled);
    expect(document?.body).toMatchObject({ status: 'disabled', disabledReason: 'failing' });
    expect(document?.fields).toMatchObject({ status: 'disabled', enabledAt: at(1).time });
  });
  it('stays disabled when it is revised or its secret is rotated', () => {
    expect(fold(registered, disabled, revised)?.body).toMatchObject({ status: 'disabled', disabledReason: 'failing' });
    expect(fold(registered, disabled, rotated)?.fields).toMatchObject({ status: 'disabled' });
  });
  it('has the time when it was enabled again, and no reason any more', () => {
    const document = fold(registered, disabled, enabled);
    expect(document?.fields).toMatchObject({ status: 'enabled', enabledAt: at(5).time });
    expect(JSON.stringify(document?.body)).not.toContain('disabledReason');
  });
  it('has no document once removed', () => expect(fold(registered, removed)).toBeNull());
});
