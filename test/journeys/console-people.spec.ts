import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { OPS, SCOPES } from '../../apps/api/http/admission/access.js';
import { openTokens } from '../../apps/petstore/composition/tokens.js';
import { createLog } from '../../apps/petstore/logging/log.js';
import { start, type RunningPetstore } from '../../apps/petstore/start.js';
import { parseSettings } from '../../libs/settings/settings.js';
import { eventually } from '../eventually.js';
import { startBrowser, type Display } from '../servers/browser.js';
import { caller, type Call } from '../servers/calling.js';
import type { RequestOptions } from '../servers/client.js';
import { STAFF_SCOPES } from '../servers/process.js';
import { describeIfAvailable } from '../servers/services/describe-if-available.js';
import { openConsole, type ConsoleTab } from './console.js';

const DESKTOP = { width: 1280, height: 900, dark: false };
const DISPLAYS: readonly Display[] = [
  DESKTOP,
  { ...DESKTOP, dark: true },
  { width: 390, height: 844, dark: false },
  { width: 390, height: 844, dark: true },
];
const PASSWORD = 'correct horse battery';
const ALL_SCOPES = `${STAFF_SCOPES} audit:read chat:write`;

/** An account as the service shows it to operators. */
type Account = { readonly id: string; readonly username: string; readonly staff: boolean; readonly disabled: boolean };

/** Fills in the dialog of the page: fields by their names, checkboxes and radios with `true`. */
const fillIn = (page: ConsoleTab, values: Readonly<Record<string, string | true>>): Promise<void> =>
  page.tab.evaluate(`{
    for (const [name, value] of Object.entries(${JSON.stringify(values)})) {
      const field = document.querySelector('dialog [name="' + name.split('=')[0] + '"]' + (name.includes('=') ? '[value="' + name.split('=')[1] + '"]' : ''));
      if (value === true) field.click();
      else field.value = value;
    }
  }`);

const isOpen = (page: ConsoleTab): Promise<boolean> => page.tab.evaluate(`document.querySelector('dialog[open]') !== null`);

/** The names of the pages in the navigation. */
const pagesOf = (page: ConsoleTab): Promise<string> =>
  page.tab.evaluate(`[...document.querySelectorAll('.console-bar li')].map((one) => one.innerText.trim()).join(' ')`);

/** Opens the dialog of an action. */
const ask = async (page: ConsoleTab, button: string): Promise<void> => {
  await page.press(button);
  await eventually('the dialog', () => isOpen(page));
};

/** Opens an action, fills in its form, sends it, and waits until it is done. */
const act = async (page: ConsoleTab, button: string, verb: string, values: Readonly<Record<string, string | true>> = {}): Promise<void> => {
  await ask(page, button);
  await fillIn(page, values);
  await page.press(verb);
  await page.sees(/Done|Refused/);
  expect(await page.tab.evaluate(`document.querySelector('dialog .outcome').innerText`)).toContain('Done');
};

const close = async (page: ConsoleTab): Promise<void> => {
  await page.press('Close');
  await eventually('the end of the dialog', async () => !(await isOpen(page)));
};

/** Proves contract 43.11, contract 30.8, contract 31.3 and contract 32.4. */
describeIfAvailable('accounts, clients and keys in the console, in Chromium', await startBrowser(), ({ newTab, close: closeBrowser }) => {
  const tenant = randomUUID();
  let service: RunningPetstore;
  let call: Call;
  let token: string;
  beforeAll(async () => {
    service = await start(parseSettings({ PORT: '0', DATA_DIR: ':memory:', RATE_LIMIT: 'off' }), createLog('silent'));
    token = await tokenWith(ALL_SCOPES);
    call = caller(service.url, token);
  });
  afterAll(async () => {
    await closeBrowser();
    await service.stop();
  });

  const tokenWith = async (scopes: string, of?: string): Promise<string> =>
    (await openTokens(service.store.keys)).sign({
      subject: 'olga',
      scopes: scopes.split(' '),
      expiresInSeconds: 600,
      ...(of !== undefined && { tenant: of }),
    });
  const inConsole = async (work: (page: ConsoleTab) => Promise<void>, display: Display = DESKTOP, as = token): Promise<void> => {
    const tab = await newTab(display);
    const page = openConsole(tab, service.url, display);
    await page.open();
    await page.signIn(as);
    await work(page);
    expect(tab.reportedErrors().filter((error) => !/ 4\d\d /.test(error))).toEqual([]);
    await tab.close();
  };
  const expectFine = async (page: ConsoleTab, name: string): Promise<void> => {
    await page.shoot(name);
    expect([name, await page.violations(), await page.isTooWide()]).toEqual([name, [], false]);
  };
  const accounts = async (username: string): Promise<readonly Account[]> =>
    (await call('GET', `/v1/ops/users?username=${username}`)).json['data'] as readonly Account[];
  const signIn = async (username: string, password = PASSWORD): Promise<number> =>
    (await call('POST', '/v1/auth/tokens', { body: { username, password } })).status;

  it('creates an account, changes what it may do, ends its session and erases it', async () => {
    await inConsole(async (page) => {
      await page.go('#/accounts', 'Accounts');
      await page.sees('There are no accounts yet.');
      const profile = { username: 'ann', email: 'ann@example.com', firstName: 'Ann', lastName: 'Lee' };
      await ask(page, 'Create an account…');
      await fillIn(page, { ...profile, password: PASSWORD });
      await expectFine(page, 'create-account');
      await page.press('Create');
      await page.sees('Done');
      const [ann] = await accounts('ann');
      expect(ann).toMatchObject({ ...profile, staff: false, disabled: false });
      await page.tab.evaluate(`{ document.querySelector('dialog a').click(); }`);
      await page.sees('Account ann');
      expect(await isOpen(page)).toBe(false);

      await act(page, 'Give the role of staff…', 'Give the role');
      await close(page);
      expect(await accounts('ann')).toMatchObject([{ staff: true }]);
      await ask(page, 'Disable…');
      await page.press('Disable');
      await page.sees('This is the last enabled staff account.');
      await close(page);
      const bob = { username: 'bob', email: 'bob@example.com', password: PASSWORD, staff: true };
      expect((await call('POST', '/v1/ops/users', { body: bob })).status).toBe(201);
      await act(page, 'Take the role of staff…', 'Take the role away');
      await close(page);
      await act(page, 'Disable…', 'Disable');
      await close(page);
      expect([await accounts('ann'), await signIn('ann')]).toMatchObject([[{ disabled: true }], 401]);
      await act(page, 'Enable…', 'Enable');
      await close(page);
      const session = await call('POST', '/v1/auth/tokens', { body: { username: 'ann', password: PASSWORD } });
      expect(session.status).toBe(201);

      await page.go('#/accounts', 'Accounts');
      await page.go(`#/accounts/${ann?.id ?? ''}`, 'Account ann');
      await page.sees('username and password');
      await expectFine(page, 'account');
      const asAnn = (): Promise<number> =>
        call('GET', '/v1/users/me', { token: String(session.json['token']) }).then(({ status }) => status);
      expect(await asAnn()).toBe(200);
      await act(page, 'End…', 'End the session');
      await close(page);
      expect(await asAnn()).toBe(401);
      await page.sees('Nobody is signed in.');

      await act(page, 'Set a password…', 'Set the password', { password: 'another horse battery' });
      await close(page);
      expect([await signIn('ann'), await signIn('ann', 'another horse battery')]).toEqual([401, 201]);

      await ask(page, 'Erase…');
      await page.press('Erase for good');
      await expectFine(page, 'erase');
      expect(await page.tab.evaluate(`document.querySelector('dialog :invalid [name], dialog [name]:invalid').name`)).toBe('reason');
      expect(await accounts('ann')).toHaveLength(1);
      await fillIn(page, { reason: 'asked for by letter' });
      await page.press('Erase for good');
      await page.sees('Done');
      await close(page);
      await page.sees('No account has this id');
      expect((await page.text()).includes('ann@example.com')).toBe(false);
      expect([await accounts('ann'), (await call('GET', `/v1/ops/users/${ann?.id ?? ''}`)).status]).toEqual([[], 404]);
    });
  });

  it('adds a program, whose secret works and is forgotten, gives it another secret, and removes it', async () => {
    const tokensBy = async (id: string, secret: string): Promise<number> =>
      (
        await call('POST', '/oauth/token', {
          token: undefined,
          headers: { 'content-type': 'application/x-www-form-urlencoded' },
          raw: new URLSearchParams({ grant_type: 'client_credentials', client_id: id, client_secret: secret }).toString(),
        })
      ).status;
    await inConsole(async (page) => {
      const html = (): Promise<string> => page.tab.evaluate('document.documentElement.outerHTML');
      const shownSecret = async (): Promise<string> => {
        const [, secret = ''] = await page.tab.evaluate<string[]>(
          `[...document.querySelectorAll('dialog .command code')].map((one) => one.innerText)`,
        );
        return secret;
      };
      await page.go('#/clients', 'Clients');
      await page.sees('There are no clients yet.');
      await ask(page, 'Add a client…');
      await fillIn(page, { name: 'Importer', 'kind=program': true });
      await eventually('the scopes', () => page.tab.evaluate<boolean>(`document.querySelector('dialog [name="scopes"]') !== null`));
      const offered = await page.tab.evaluate(`[...document.querySelectorAll('dialog [name="scopes"]')].map((one) => one.value)`);
      expect(offered).toEqual([...Object.keys(SCOPES), OPS]);
      await page.press('Add');
      await page.sees('Refused');
      await expectFine(page, 'client-refused');
      await page.press('Back to the form');
      await fillIn(page, { 'scopes=write:pets': true });
      await expectFine(page, 'add-client');
      await page.press('Add');
      await page.sees('Store the secret now');
      await expectFine(page, 'client-secret');
      const [client] = (await call('GET', '/v1/ops/clients')).json['data'] as readonly { readonly id: string }[];
      const id = client?.id ?? '';
      expect(client).toMatchObject({ name: 'Importer', program: true, scopes: ['write:pets'] });
      const first = await shownSecret();
      expect(await tokensBy(id, first)).toBe(200);
      await close(page);
      await page.go('#/actions', 'Actions');
      await page.sees('This page has forgotten its answer');
      expect(await html()).not.toContain(first);

      await page.go('#/clients', 'Clients');
      await act(page, 'New secret…', 'Give a new secret');
      const second = await shownSecret();
      await close(page);
      expect([second === first, await tokensBy(id, first), await tokensBy(id, second)]).toEqual([false, 200, 200]);
      await act(page, 'Scopes…', 'Change', { 'scopes=write:orders': true });
      await close(page);
      expect((await call('GET', `/v1/ops/clients/${id}`)).json['scopes']).toEqual(['write:pets', 'write:orders']);
      await act(page, 'Remove…', 'Remove');
      await close(page);
      await page.sees('There are no clients yet.');
      expect([await tokensBy(id, second), (await call('GET', `/v1/ops/clients/${id}`)).status]).toEqual([401, 404]);
    });
  });

  it('adds a client that signs people in, and changes its URIs', async () => {
    await inConsole(async (page) => {
      await page.go('#/clients', 'Clients');
      const redirectUris = 'https://finder.example.com/signed-in\ncom.example.app:/signed-in';
      await act(page, 'Add a client…', 'Add', { name: 'Pet Finder', redirectUris });
      await close(page);
      await page.sees('com.example.app:/signed-in');
      await act(page, 'URIs…', 'Change', { redirectUris: 'https://finder.example.com/in' });
      await close(page);
      const { json } = await call('GET', '/v1/ops/clients');
      expect(json['data']).toMatchObject([{ name: 'Pet Finder', confidential: false, redirectUris: ['https://finder.example.com/in'] }]);
    });
  });

  it('shows an operator of one tenant only what is of that tenant', async () => {
    const create = (username: string, options: RequestOptions = {}) =>
      call('POST', '/v1/ops/users', { body: { username, email: `${username}@example.com`, password: PASSWORD }, ...options });
    const [own, other] = [await create('dora', { headers: { 'x-tenant-id': tenant } }), await create('emil')];
    expect([own.status, other.status]).toEqual([201, 201]);
    const work = async (page: ConsoleTab): Promise<void> => {
      expect(await pagesOf(page)).toBe('Accounts Clients');
      await page.sees('dora');
      expect(await page.text()).not.toContain('emil');
      await page.go(`#/accounts/${String(other.json['id'])}`, 'An account');
      await page.sees('No account has this id');
      await page.go(`#/accounts/${String(own.json['id'])}`, 'Account dora');
      await act(page, 'Disable…', 'Disable');
      await close(page);
    };
    await inConsole(work, DESKTOP, await tokenWith('ops', tenant));
    const status = await call('GET', `/v1/ops/users/${String(own.json['id'])}`, { headers: { 'x-tenant-id': tenant } });
    expect(status.json).toMatchObject({ disabled: true });
  });

  it('lets an operator of no tenant choose one', async () => {
    const work = async (page: ConsoleTab): Promise<void> => {
      await page.go('#/accounts', 'Accounts');
      await page.sees('bob');
      await page.tab.evaluate(`{
        const chooser = document.querySelector('.tenant select');
        chooser.value = 'other';
        chooser.dispatchEvent(new Event('change', { bubbles: true }));
      }`);
      await eventually('the field', () => page.tab.evaluate<boolean>(`document.querySelector('.tenant input') !== null`));
      await page.tab.evaluate(`{ document.querySelector('.tenant input').value = '${tenant}'; }`);
      await page.press('Use it');
      await page.sees('dora');
      expect(await page.text()).not.toContain('bob');
    };
    await inConsole(work, DESKTOP, await tokenWith('ops'));
  });

  it.each(DISPLAYS)('is accessible on %j', async (display) => {
    const [bob] = await accounts('bob');
    await inConsole(async (page) => {
      await page.go('#/accounts', 'Accounts');
      await page.sees('bob');
      await expectFine(page, 'accounts');
      await page.go(`#/accounts/${bob?.id ?? ''}`, 'Account bob');
      await page.sees('Nobody is signed in.');
      await expectFine(page, 'account-of-staff');
      await ask(page, 'Erase…');
      await expectFine(page, 'erase');
      await page.press('Cancel');
      await page.go('#/clients', 'Clients');
      await page.sees('Pet Finder');
      await expectFine(page, 'clients');
      await page.go('#/keys', 'Keys');
      await page.sees('signs order callbacks');
      await expectFine(page, 'keys');
    }, display);
  });

  it('rotates the keys for tokens and for checkpoints, and removes a key', async () => {
    type Key = { readonly id: string; readonly kind: string; readonly status: string };
    const keysOf = async (kind: string): Promise<readonly Key[]> =>
      ((await call('GET', '/v1/ops/keys')).json['data'] as readonly Key[]).filter((key) => key.kind === kind);
    const statuses = async (): Promise<readonly string[]> => (await keysOf('token-signing')).map(({ status }) => status);
    await inConsole(async (page) => {
      await page.go('#/keys', 'Keys');
      await page.sees('signs order callbacks');
      const [first] = await keysOf('token-signing');
      await ask(page, 'Rotate the key for tokens…');
      await expectFine(page, 'rotate');
      await page.press('Rotate');
      await page.sees('It signs from');
      await close(page);
      expect(await statuses()).toEqual(['announced', 'current']);
      await page.sees('announced');
      await expectFine(page, 'keys-announced');
      await act(page, 'Remove…', 'Remove');
      await close(page);
      expect(await statuses()).toEqual(['current']);
      await eventually('the end of the announced key', async () => !(await page.text()).includes('announced'));

      await act(page, 'Rotate the key for tokens…', 'Rotate', { 'when=now': true });
      await close(page);
      expect(await statuses()).toEqual(['current', 'former']);
      expect((await keysOf('token-signing')).find(({ id }) => id === first?.id)?.status).toBe('former');
      await act(page, 'Rotate the key for checkpoints…', 'Rotate');
      await page.sees('Give auditors a copy of the public keys now.');
      await close(page);
      expect(await keysOf('checkpoint-signing')).toMatchObject([{ status: 'current' }, { status: 'former' }]);
    });
    // The token of these tests was signed by the former key, so its removal ends the token.
    const work = async (page: ConsoleTab): Promise<void> => {
      await page.go('#/keys', 'Keys');
      await act(page, 'Remove…', 'Remove');
      await close(page);
    };
    expect((await call('GET', '/v1/ops/keys')).status).toBe(200);
    await inConsole(work, DESKTOP, await tokenWith(ALL_SCOPES));
    expect((await call('GET', '/v1/ops/keys')).status).toBe(401);
  });
});
