import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { createLog } from '../../apps/petstore/logging/log.js';
import { start, type RunningPetstore } from '../../apps/petstore/start.js';
import { parseSettings } from '../../libs/settings/settings.js';
import { caller } from '../servers/calling.js';
import { eventually } from '../eventually.js';
import { startBrowser, type Tab } from '../servers/browser.js';
import { describeIfAvailable } from '../servers/services/describe-if-available.js';
import { PASSWORD } from './oauth-people.js';

const DESKTOP = { width: 1280, height: 900, dark: false };

const browser = await startBrowser();
/** Proves contract 32.7 and contract 43.11. */
describeIfAvailable('a one-time link to /docs, in Chromium', browser, ({ newTab, close }) => {
  let service: RunningPetstore;
  let tab: Tab;
  beforeAll(async () => {
    service = await start(parseSettings({ PORT: '0', DATA_DIR: ':memory:' }), createLog('silent'), { linkUser: 'ann' });
    tab = await newTab(DESKTOP);
  });
  afterAll(async () => {
    await close();
    await service.stop();
  });

  const stored = () => tab.evaluate<string | null>(`localStorage.getItem('authorized')`);
  const click = (selector: string) => tab.evaluate(`document.querySelector('${selector}').click()`);
  const openDocs = async (fragment: string): Promise<void> => {
    // Only another page makes the browser load this one again.
    await tab.open(`${service.url}/errors`);
    await tab.open(`${service.url}/docs${fragment}`);
    await eventually('the reference', () => tab.evaluate<boolean>(`document.querySelector('.auth-wrapper .authorize') !== null`));
  };
  /** Waits for the padlock of the button: it is locked while requests have a token. */
  const expectLocked = () =>
    eventually('the token', () => tab.evaluate<boolean>(`document.querySelector('.auth-wrapper .authorize.locked') !== null`));
  /** Sends `GET /v1/ops/health` with "Try it out". Returns the status. */
  const readHealth = async (): Promise<string> => {
    await tab.evaluate(`{ location.hash = '#/Audit/getStoreHealth'; }`);
    await eventually('the operation', () => tab.evaluate<boolean>(`document.querySelector('.is-open .try-out__btn') !== null`));
    await click('.is-open .try-out__btn');
    await click('.is-open .execute');
    return eventually('the response', () =>
      tab.evaluate<string | undefined>(`document.querySelector('.live-responses-table .response > .response-col_status')?.innerText`),
    );
  };

  it('lets requests carry its token, and leaves neither the secret nor the token behind', async () => {
    await openDocs(`#link=${service.createLink()}`);
    expect(await tab.evaluate('location.hash')).toBe('');
    await expectLocked();
    expect(await readHealth()).toMatch(/^200/);
    expect(await stored()).toBeNull();
    expect(tab.reportedErrors()).toEqual([]);
    await openDocs('');
    expect(await readHealth()).toMatch(/^401/);
  });

  it('is not stored with the sign-in of an account that follows', async () => {
    const body = { username: 'ann', email: 'ann@example.com', password: PASSWORD };
    expect((await caller(service.url)('POST', '/v1/users', { body })).status).toBe(201);
    await openDocs(`#link=${service.createLink()}`);
    await expectLocked();
    await click('.auth-wrapper .authorize');
    await eventually('the dialog', () => tab.evaluate<boolean>(`document.querySelector('.dialog-ux input') !== null`));
    await tab.evaluate(`{ const open = window.open; window.open = (...parts) => (window.signIn = open.call(window, ...parts)); }`);
    await click('.dialog-ux .modal-ux-content > div:last-child input[type=checkbox][id^="read:pets"]');
    await click('.dialog-ux .modal-ux-content > div:last-child .authorize');
    const inWindow = <T>(expression: string) => tab.evaluate<T>(`((document) => ${expression})(window.signIn.document)`);
    const heading = (text: string) =>
      eventually(text, () => inWindow<boolean>(`document.querySelector('h1')?.textContent.includes('${text}') === true`));
    await heading('Sign in');
    await inWindow(`{ document.getElementById('username').value = 'ann'; document.getElementById('password').value = '${PASSWORD}'; }`);
    await inWindow(`document.querySelector('button[value="sign-in"]').click()`);
    await heading('Give access');
    await inWindow(`document.querySelector('button[value="allow"]').click()`);
    const kept = await eventually('the token of the account', stored);
    expect(Object.keys(JSON.parse(kept ?? '{}') as object)).toEqual(['Sign-in']);
    await tab.evaluate('localStorage.clear()');
  });

  it('keeps a token that was pasted before, and stores it alone', async () => {
    await openDocs('');
    await tab.evaluate(
      `localStorage.setItem('authorized', JSON.stringify({ Token: { name: 'Token', schema: { type: 'http', scheme: 'bearer' }, value: 'pasted' } }))`,
    );
    await openDocs(`#link=${service.createLink()}`);
    await expectLocked();
    expect(await readHealth()).toMatch(/^200/);
    expect(JSON.parse((await stored()) ?? '{}')).toMatchObject({ Token: { value: 'pasted' } });
    await tab.evaluate('localStorage.clear()');
  });

  it('is refused once it was used, and the page says so', async () => {
    const fragment = `#link=${service.createLink()}`;
    await openDocs(fragment);
    await expectLocked();
    await openDocs(fragment);
    const notice = await eventually('the notice', () =>
      tab.evaluate<string | undefined>(`document.querySelector('[role=alert]')?.innerText`),
    );
    expect(notice).toContain('The link was used');
  });
});
