import { describe, expect, it } from '@jest/globals';
import { manualClock } from '../../eventsourcing/testing/manual-clock.js';
import { SHARED_POOL } from '../../eventsourcing/message.js';
import type { Session } from '../sessions/sessions.js';
import type { OAuthClient } from './clients.js';
import { ProgramSessions } from './program-sessions.js';

const PROGRAM: OAuthClient = {
  ...{ id: '1', tenant: SHARED_POOL, name: 'Stock sync', redirectUris: [], postLogoutRedirectUris: [], device: false },
  ...{ confidential: true, implicit: false, program: true, scopes: ['read:pets', 'write:pets'], createdAt: '2026-01-02T03:04:05.678Z' },
};
const HOUR = 3_600_000;

/** Returns the sessions of PROGRAM. `whileStarting` is what happens to the program while a session is stored. */
const given = (whileStarting: (program: OAuthClient) => OAuthClient | null = (program) => program) => {
  let program: OAuthClient | null = PROGRAM;
  const clock = manualClock();
  const stored: Session[] = [];
  const ended: string[] = [];
  const sessions = new ProgramSessions({
    clients: { get: async () => program && { client: program } },
    sessions: {
      ofUser: async () => [...stored].reverse(),
      async add(session) {
        program = program && whileStarting(program);
        stored.push(session);
      },
    },
    end: async (id) => void ended.push(id),
    clock,
    ids: { next: () => `session-${stored.length + 1}` } as never,
  });
  return { sessions, stored, ended, clock };
};

/** Proves contract 32.9. */
describe('the session of a program', () => {
  it('is the same for all its tokens, until it would end sooner than a token', async () => {
    const { sessions, stored, clock } = given();
    const first = await sessions.forToken('1', ['read:pets']);
    expect(first).toMatchObject({ id: 'session-1', userId: 'client:1', clientId: '1', accountRevision: 0 });
    clock.advance(30 * 24 * HOUR - 3 * HOUR);
    expect(await sessions.forToken('1', ['write:pets'])).toEqual(first);
    clock.advance(HOUR);
    expect(await sessions.forToken('1', ['read:pets'])).toMatchObject({ id: 'session-2' });
    expect(stored).toHaveLength(2);
  });

  it('is not given to a token with a scope that the program does not have', async () => {
    const { sessions, stored } = given();
    expect(await sessions.forToken('1', ['read:pets', 'ops'])).toBeNull();
    expect(stored).toEqual([]);
  });

  it.each([
    ['is removed', () => null],
    ['loses a scope of the token', (program: OAuthClient) => ({ ...program, scopes: ['read:pets'] })],
  ])('ends if the program %s while the session starts', async (_, change) => {
    const { sessions, ended } = given(change);
    expect(await sessions.forToken('1', ['read:pets', 'write:pets'])).toBeNull();
    expect(ended).toEqual(['session-1']);
  });

  it('stays if the program loses another scope while the session starts', async () => {
    const { sessions, ended } = given((program) => ({ ...program, scopes: ['read:pets'] }));
    expect(await sessions.forToken('1', ['read:pets'])).toMatchObject({ id: 'session-1' });
    expect(ended).toEqual([]);
  });
});
