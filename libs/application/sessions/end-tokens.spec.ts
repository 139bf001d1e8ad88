import { describe, expect, it } from '@jest/globals';
import type { UserId } from '../../domain/ids.js';
import type { Aggregates } from '../../eventsourcing/aggregates.js';
import { rejected } from '../../eventsourcing/decider.js';
import { StoreUnavailable } from '../../eventsourcing/ports/event-store.port.js';
import type { Documents } from '../../eventsourcing/ports/documents.port.js';
import { manualClock } from '../../eventsourcing/testing/manual-clock.js';
import { recordSecurityEvent, RecordSecurityEvent } from '../security/security.commands.js';
import { endAccountTokens, type EndingPorts } from './end-tokens.js';

/** The streams of the day lose every race with other writers. */
const aggregates = { handle: () => Promise.resolve(rejected('contended')) } as unknown as Aggregates;
const clock = manualClock();
const CONTEXT = { tenant: 'shared', actor: 'user:ann', correlationId: 'request-1', causationId: 'request-1' };

describe('a stream of the day that loses every race', () => {
  it('lets the end of tokens fail, so that the session stays in the list and the caller repeats (contract 30.10)', async () => {
    const removed: string[] = [];
    const ports = {
      aggregates,
      clock,
      revocations: { refresh: () => Promise.resolve(), isRecorded: () => false },
      documents: { apply: () => Promise.resolve(removed.push('sessions')) } as unknown as Documents,
    } as unknown as EndingPorts;
    await expect(endAccountTokens(ports, { userId: 'ann' as UserId, before: 2 }, CONTEXT)).rejects.toThrow(StoreUnavailable);
    expect(removed).toEqual([]);
  });

  it('lets the recording of a security event fail (contract 34.1)', async () => {
    const data = { kind: 'sign-in', operation: 'createToken', actor: 'ann', address: '' } as unknown as RecordSecurityEvent['data'];
    const sent = new RecordSecurityEvent(data, { tenant: 'shared', requestId: 'request-1' });
    await expect(recordSecurityEvent({ aggregates, clock }, sent)).rejects.toThrow(StoreUnavailable);
  });
});
