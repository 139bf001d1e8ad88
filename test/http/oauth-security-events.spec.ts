import * as oauth from 'openid-client';
import { afterEach, expect } from '@jest/globals';
import { openEmbeddedStore } from '../../apps/petstore/composition/embedded/embedded.js';
import { createLog } from '../../apps/petstore/logging/log.js';
import type { SecurityEventData } from '../../libs/domain/security/security.decider.js';
import { readHistory } from '../../libs/runtime/codec/verified-history.js';
import { openSealed } from '../../libs/runtime/codec/sealing.js';
import { newFolder, removeFolders } from '../servers/data-folder.js';
import { itOnOwnPetstore, startOwnPetstore } from '../servers/test-petstore.js';
import { Browser } from './oauth-browser.js';
import { addClient, authorizationRequest, authorize, createPerson, discover, signIn } from './oauth-people.js';

afterEach(() => removeFolders());

/** Returns the security events that a folder has for the day of `since` and for today. */
const eventsIn = async (directory: string, since: Date): Promise<readonly SecurityEventData[]> => {
  const store = await openEmbeddedStore({ directory, log: createLog('silent') });
  const days = new Set([since, new Date()].map((time) => time.toISOString().slice(0, 10)));
  const events: SecurityEventData[] = [];
  for (const day of days)
    for (const { data } of await readHistory(store, `security-${day}`))
      events.push(JSON.parse(await openSealed(store.keys, JSON.stringify(data))) as SecurityEventData);
  await store.close();
  return events;
};

/** Proves contract 34.1. */
itOnOwnPetstore('the pages of OAuth record sign-ins, consents, denials and revocations, with person and client', async () => {
  const [folder, since] = [newFolder(), new Date()];
  const service = await startOwnPetstore({ DATA_DIR: folder });
  const user = await createPerson(service);
  const client = await addClient(service);
  const config = await discover(service, client);
  const { refresh_token: refreshToken = '' } = await authorize(service, config, user.username);
  await oauth.tokenRevocation(config, refreshToken);
  const { access_token: accessToken } = await authorize(service, config, user.username);
  await oauth.tokenRevocation(config, accessToken);
  const browser = new Browser(service.url);
  const { url } = await authorizationRequest(config);
  await browser.submit(await browser.open(url.href), { username: user.username, password: 'wrong password', action: 'sign-in' });
  await browser.submit(await signIn(service, url, user.username, browser), { action: 'deny' });
  await service.stop();
  const events = (await eventsIn(folder, since)).map(({ kind, operation, actor, client: by, address }) => [
    kind,
    operation,
    actor,
    by,
    address,
  ]);
  const from = (actor: string) => [actor, client.id, '127.0.0.1'];
  expect(events).toEqual([
    ['grant', 'addClient', 'staff', undefined, '127.0.0.1'],
    ['sign-in', 'oauthSignIn', ...from(user.id)],
    ['consent', 'oauthConsent', ...from(user.id)],
    ['revocation', 'oauthRevoke', ...from(user.id)],
    ['sign-in', 'oauthSignIn', ...from(user.id)],
    ['consent', 'oauthConsent', ...from(user.id)],
    ['revocation', 'oauthRevoke', ...from(user.id)],
    ['sign-in-failed', 'oauthSignIn', ...from('anonymous')],
    ['sign-in', 'oauthSignIn', ...from(user.id)],
    ['consent', 'oauthRefuse', ...from(user.id)],
  ]);
});
