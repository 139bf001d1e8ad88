import { describe, expect, it } from '@jest/globals';
import { SHARED_POOL } from '../../../../libs/eventsourcing/message.js';
import { storageAdapter, type OAuthStorage } from './storage.js';

/** Proves contract 32.4. */
describe('a stored client', () => {
  it('keeps its other redirect URIs if an earlier version registered one that cannot be parsed', async () => {
    const client = { id: 'c', name: 'App', redirectUris: ['https://256.256.256.256/cb', 'https://app.example.com/cb'], device: false };
    const stored = {
      client: {
        ...client,
        confidential: false,
        implicit: false,
        program: false,
        scopes: [],
        tenant: SHARED_POOL,
        createdAt: '2026-01-02T03:04:05.678Z',
      },
    };
    const storage = { clients: { get: async () => stored } } as unknown as OAuthStorage;
    expect(await storageAdapter(storage)('Client').find('c')).toMatchObject({
      redirect_uris: ['https://app.example.com/cb'],
      application_type: 'web',
    });
  });
});
