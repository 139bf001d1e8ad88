import { afterAll, afterEach, describe, expect } from '@jest/globals';
import { decodeJwt, decodeProtectedHeader } from 'jose';
import { makeToken } from '../../apps/petstore/commands/token.command.js';
import { parseSettings } from '../../libs/settings/settings.js';
import { newFolder, removeFolders } from '../servers/data-folder.js';
import { itOnOwnPetstore as it, startOwnPetstore, type OwnPetstore } from '../servers/test-petstore.js';
import { addClient, authorize, createPerson, discover } from './oauth-people.js';
import { expectProblem } from './problems.js';

const CLAIMS = { scope: 'ops', subject: 'olga', expiresIn: 3_600 };

let running: OwnPetstore | undefined;
afterEach(() => running?.stop().then(() => (running = undefined)));
afterAll(() => removeFolders());

const start = async (dataDir: string, env: Readonly<Record<string, string>> = {}): Promise<OwnPetstore> =>
  (running = await startOwnPetstore({ DATA_DIR: dataDir, ...env }));
const stop = async (): Promise<void> => {
  await running?.stop();
  running = undefined;
};
const tokenOn = (dataDir: string, env: Readonly<Record<string, string>> = {}): Promise<string> =>
  makeToken(parseSettings({ DATA_DIR: dataDir, ...env }), CLAIMS);
const issuerOf = (token: string): unknown => decodeJwt(token).iss;
const read = (token: string) => running?.request('GET', '/v1/ops/keys', { token }) ?? Promise.reject(new Error('not running'));

/** Proves contract 5.2 and contract 5.4. */
describe('the issuer of tokens', () => {
  it('is the address of a running service without PUBLIC_URL, in every token, the metadata and introspection', async () => {
    const service = await start(newFolder());
    const user = await createPerson(service);
    const client = await addClient(service, { confidential: true });
    const config = await discover(service, client);
    const tokens = await authorize(service, config, user.username);
    const account = { username: user.username, password: 'correct horse battery' };
    const signedIn = (await service.request<{ token: string }>('POST', '/v1/auth/tokens', { body: account })).json.token;
    const form = new URLSearchParams({ token: tokens.access_token, client_id: client.id, client_secret: client.secret ?? '' });
    const introspected = await fetch(`${service.url}/oauth/introspection`, { method: 'POST', body: form });
    const issuers = [
      config.serverMetadata().issuer,
      issuerOf(tokens.access_token),
      tokens.claims()?.iss,
      issuerOf(signedIn),
      ((await introspected.json()) as { readonly iss?: string }).iss,
    ];
    expect(issuers).toEqual(Array(5).fill(service.url));
    expect(service.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
    const elsewhere = await fetch(`${service.url.replace('127.0.0.1', 'localhost')}/.well-known/openid-configuration`);
    expect(((await elsewhere.json()) as { readonly issuer: string }).issuer).toBe(service.url);
  });

  it('is, in a token of the command, that of the running service, and `petstore` while none runs', async () => {
    const dataDir = newFolder();
    const { url } = await start(dataDir);
    const whileRunning = await tokenOn(dataDir);
    await stop();
    const stopped = await tokenOn(dataDir);
    const { url: later } = await start(dataDir, { PUBLIC_URL: 'https://pets.example.com' });
    const ofPublicUrl = await tokenOn(dataDir);
    expect([whileRunning, stopped, ofPublicUrl].map(issuerOf)).toEqual([url, 'petstore', 'https://pets.example.com']);
    expect(later).not.toBe(url);
    for (const token of [whileRunning, stopped, ofPublicUrl]) expect((await read(token)).status).toBe(200);
  });

  it('is the reason of a 401 if the address of the service has changed', async () => {
    const dataDir = newFolder();
    await start(dataDir, { PUBLIC_URL: 'https://pets.example.com' });
    const token = await tokenOn(dataDir);
    await stop();
    await start(dataDir, { PUBLIC_URL: 'https://shop.example.com' });
    const response = await read(token);
    expectProblem(response, 401, 'unauthorized');
    expect(response.text).toContain('names another issuer');
    expect(response.headers['www-authenticate']).toContain('error_description="The access token names another issuer"');
  });
});

/** Proves contract 5.4. */
describe('a token of another store', () => {
  it('is 401 with that reason and a remedy, which name neither the keys nor the folder', async () => {
    const [other, dataDir] = [newFolder(), newFolder()];
    await start(other);
    const token = await tokenOn(other);
    await stop();
    const service = await start(dataDir);
    for (const response of [
      await read(token),
      await service.request('GET', '/v1/pets', { token }),
      await service.request('GET', '/oauth/userinfo', { token }),
    ]) {
      expectProblem(response, 401, 'unauthorized');
      expect(response.text).toContain('it is a token of another store, or its key was removed');
      expect(response.text).toContain('run the command token with the DATA_DIR of this service');
      expect(response.headers['www-authenticate']).toMatch(
        /error="invalid_token", error_description=".* a key that this store does not have"/,
      );
      for (const secret of [dataDir, other, decodeProtectedHeader(token).kid ?? '']) expect(response.text).not.toContain(secret);
    }
    expect((await read(await tokenOn(dataDir))).status).toBe(200);
  });
});
