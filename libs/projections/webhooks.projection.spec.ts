import { describe, expect, it } from '@jest/globals';
import type { WebhookEvent, WebhookTerms } from '../domain/webhooks/webhook.events.js';
import { foldProjection } from '../eventsourcing/testing/fold-projection.js';
import type { Told } from '../eventsourcing/testing/recorded.js';
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

const fold = (...events: Told<WebhookEvent>[]) => foldProjection(webhooksProjection, events);
const json = (...events: Told<WebhookEvent>[]) => JSON.stringify(fold(...events)?.body);

describe('a registered endpoint', () => {
  it('shows everything in the documented order', () =>
    expect(json(registered)).toBe(
      '{"id":"1","url":"https://shop.example.com/hooks","events":["order.statusChanged"],"ordered":true,"status":"enabled",' +
        '"createdAt":"2026-01-02T03:04:01.000Z","updatedAt":"2026-01-02T03:04:01.000Z"}',
    ));
  it('is found by its tenant, and signs with the first secret', () =>
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
  it('is what it was revised to, since when it was', () =>
    expect(fold(registered, revised)?.body).toMatchObject({ ...other, createdAt: at(1).time, updatedAt: at(2).time, status: 'enabled' }));
  it('knows the number of its secret and when that came into force, and shows neither', () => {
    expect(fold(registered, rotated)?.fields).toMatchObject({ secret: 2, rotatedAt: at(3).time });
    expect(json(registered, rotated)).not.toMatch(/secret|rotat/);
  });
  it('knows when its secrets came into force, as long as the former ones sign: the latest first', () => {
    const again = (secret: number, time: string) => ({ ...rotated, data: { secret, rotationId: time }, meta: { time } });
    const [second, third] = [again(3, '2026-01-03T03:04:02.999Z'), again(4, '2026-01-03T03:04:03.000Z')];
    expect(fold(registered, rotated, second)?.fields).toMatchObject({ secret: 3, rotatedAt: `${second.meta.time} ${at(3).time}` });
    expect(fold(registered, rotated, second, third)?.fields).toMatchObject({
      secret: 4,
      rotatedAt: `${third.meta.time} ${second.meta.time}`,
    });
  });
  it('knows the last three rotations at most: the newest four secrets sign', () => {
    const at = Array.from({ length: 31 }, (_, minute) => `2026-01-02T03:${String(minute + 10)}:00.000Z`);
    const rotations = at.map((time, index) => ({ ...rotated, data: { secret: index + 2, rotationId: time }, meta: { time } }));
    expect(fold(registered, ...rotations)?.fields).toMatchObject({ secret: 32, rotatedAt: at.slice(-3).reverse().join(' ') });
  });
  it('says why it is disabled', () => {
    const document = fold(registered, disabled);
    expect(document?.body).toMatchObject({ status: 'disabled', disabledReason: 'failing' });
    expect(document?.fields).toMatchObject({ status: 'disabled', enabledAt: at(1).time });
  });
  it('stays disabled when it is revised or gets another secret', () => {
    expect(fold(registered, disabled, revised)?.body).toMatchObject({ status: 'disabled', disabledReason: 'failing' });
    expect(fold(registered, disabled, rotated)?.fields).toMatchObject({ status: 'disabled' });
  });
  it('is enabled again from then on, and says no reason any more', () => {
    const document = fold(registered, disabled, enabled);
    expect(document?.fields).toMatchObject({ status: 'enabled', enabledAt: at(5).time });
    expect(JSON.stringify(document?.body)).not.toContain('disabledReason');
  });
  it('is gone once removed', () => expect(fold(registered, removed)).toBeNull());
});
