import { afterAll, beforeAll, describe, expect } from '@jest/globals';
import { itOnOwnPetstore as it, startOwnPetstore, type OwnPetstore } from '../servers/test-petstore.js';
import { countingHasher } from './counting-hasher.js';
import { Browser } from './oauth-browser.js';
import { addClient, authorizationRequest, createPerson, discover, PASSWORD } from './oauth-people.js';

/** Proves contract 30.1 and contract 32.3. */
describe('the form of the sign-in page', () => {
  const passwords = countingHasher();
  let service: OwnPetstore;
  beforeAll(async () => {
    service = await startOwnPetstore({}, { passwords });
  });
  afterAll(() => service.stop());

  it.each([
    ['http://127.0.0.1:4000/cb', "form-action 'self' http://127.0.0.1:4000"],
    ['http://[::1]:4000/cb', "form-action 'self' http:"],
    ['com.example.app:/cb', "form-action 'self' com.example.app:"],
  ])('may lead to the redirect URI %s, as far as a policy can name it', async (uri, expected) => {
    const config = await discover(service, await addClient(service, { redirectUris: [uri] }));
    const { url } = await authorizationRequest(config, { redirect_uri: uri });
    const { headers } = await new Browser(service.url).open(url.href);
    expect(headers.get('content-security-policy')?.split('; ')).toContain(expected);
  });

  const openPage = async () => {
    const { url } = await authorizationRequest(await discover(service, await addClient(service)));
    const browser = new Browser(service.url);
    const page = await browser.open(url.href);
    return { submit: (fields: Readonly<Record<string, string>>) => browser.submit(page, { action: 'sign-in', ...fields }) };
  };

  it('is rejected if its form token has the right number of characters but too many bytes', async () => {
    const { username } = await createPerson(service);
    const { submit } = await openPage();
    expect((await submit({ username, password: PASSWORD, form: 'é'.repeat(43) })).status).toBe(400);
  });

  it('neither normalizes nor hashes texts that are too long for any account', async () => {
    const { username } = await createPerson(service);
    const { submit } = await openPage();
    const before = passwords.calls.verify;
    for (const fields of [
      { username: '\ufdfa'.repeat(10_000), password: PASSWORD },
      { username, password: 'x'.repeat(10_000) },
    ])
      expect((await submit(fields)).html).toContain('The username or the password is wrong.');
    expect(passwords.calls.verify).toBe(before);
  });
});
