import { createHash, randomUUID } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import * as oauth from 'openid-client';
import type { ClientCollection } from '../../apps/api/clients/client.dto.js';
import { openEmbeddedStore } from '../../apps/petstore/composition/embedded/embedded.js';
import { createLog } from '../../apps/petstore/logging/log.js';
import { OAuthClients, type OAuthClient } from '../../libs/application/oauth/clients.js';
import { SHARED_POOL } from '../../libs/eventsourcing/message.js';
import { startOwnPetstore } from '../servers/test-petstore.js';
import { addClient, authorizationRequest, createPerson, discover, giveAccess, REDIRECT_URI } from './oauth-people.js';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'oauth-'));
});
afterAll(() => rm(folder, { recursive: true }));

const storedBytes = (): string =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => readFileSync(join(parentPath, name), 'latin1'))
    .join('\n');

/** Proves contract 32.5. */
describe('the storage of the authorization server', () => {
  it('keeps grants after a restart, and contains no code, token or secret', async () => {
    const store = await startOwnPetstore({ DATA_DIR: folder });
    const user = await createPerson(store);
    const client = await addClient(store, { confidential: true, device: true });
    const config = await discover(store, client);
    const { url, verifier, state } = await authorizationRequest(config);
    const answer = await giveAccess(store, url, user.username);
    const tokens = await oauth.authorizationCodeGrant(config, answer, { pkceCodeVerifier: verifier, expectedState: state });
    const device = await oauth.initiateDeviceAuthorization(config, { scope: 'openid' });
    await store.stop();
    const bytes = storedBytes();
    const secrets = [answer.searchParams.get('code'), tokens.refresh_token, tokens.access_token, client.secret, device.device_code];
    for (const secret of secrets) expect(secret !== null && secret !== undefined && !bytes.includes(secret)).toBe(true);
    const digest = createHash('sha256')
      .update(client.secret ?? '')
      .digest('base64url');
    expect(bytes).toContain(digest);

    const again = await startOwnPetstore({ DATA_DIR: folder });
    const refreshed = await oauth.refreshTokenGrant(await discover(again, client), tokens.refresh_token ?? '');
    expect(refreshed.refresh_token).toEqual(expect.any(String));
    await again.stop();
  });

  it('shows that a client which an earlier version stored may not use the implicit flow', async () => {
    const directory = await mkdtemp(join(folder, 'earlier-'));
    const client = { name: 'Pet Finder', redirectUris: [REDIRECT_URI], device: false, confidential: false };
    const stored = { id: randomUUID(), tenant: SHARED_POOL, ...client, createdAt: '2026-01-02T03:04:05.678Z' };
    const earlier = await openEmbeddedStore({ directory, log: createLog('silent') });
    await new OAuthClients(earlier.documents).add({ client: stored as unknown as OAuthClient });
    await earlier.close();
    const store = await startOwnPetstore({ DATA_DIR: directory });
    try {
      const { tenant: _, ...shown } = { ...stored, postLogoutRedirectUris: [], implicit: false, program: false, scopes: [] };
      const token = await store.token('ops');
      expect((await store.request<ClientCollection>('GET', '/v1/ops/clients', { token })).json.data).toEqual([shown]);
      expect((await store.request('GET', `/v1/ops/clients/${stored.id}`, { token })).json).toEqual(shown);
    } finally {
      await store.stop();
    }
  });
});
