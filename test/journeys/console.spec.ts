import { createHash } from 'node:crypto';
import { afterAll, afterEach, beforeAll, expect, it } from '@jest/globals';
import { createLog } from '../../apps/petstore/logging/log.js';
import { openTokens } from '../../apps/petstore/composition/tokens.js';
import { start, type RunningPetstore } from '../../apps/petstore/start.js';
import { parseSettings } from '../../libs/settings/settings.js';
import { eventually } from '../eventually.js';
import { startBrowser, type Display } from '../servers/browser.js';
import { caller, type Call } from '../servers/calling.js';
import { newFolder, removeFolders } from '../servers/data-folder.js';
import { createIssuerKey, DISCOVERY, KEYS, startIssuer, type TestIssuer } from '../servers/issuer.js';
import { runPetstore, STAFF_SCOPES } from '../servers/process.js';
import { describeIfAvailable } from '../servers/services/describe-if-available.js';
import { openConsole, type ConsoleTab } from './console.js';

const DESKTOP = { width: 1280, height: 900, dark: false };
const HOSTILE = 'Rex <svg onload="document.title = 1">';

const PASSWORD = 'correct horse battery';

/** Opens the window of the sign-in, in which expressions can be evaluated. */
const openSignIn = async (page: ConsoleTab) => {
  await page.tab.evaluate(`{ const open = window.open; window.open = (...parts) => (window.signIn = open.call(window, ...parts)); }`);
  await page.press('Sign in');
  const inWindow = <T>(expression: string) => page.tab.evaluate<T>(`((document) => ${expression})(window.signIn.document)`);
  const heading = (text: string) =>
    eventually(text, () => inWindow<boolean>(`document.querySelector('h1')?.textContent.includes('${text}') === true`));
  return { inWindow, heading };
};

const browser = await startBrowser();
/** Proves contract 43.11 and contract 43.12. */
describeIfAvailable('the console of a service on one folder, in Chromium', browser, ({ newTab, close }) => {
  const dataDir = newFolder();
  let service: RunningPetstore;
  let call: Call;
  beforeAll(async () => {
    const settings = parseSettings({ PORT: '0', DATA_DIR: dataDir, RATE_LIMIT: 'off' });
    service = await start(settings, createLog('silent'), { linkUser: 'ann' });
    call = caller(service.url, await tokenWith(STAFF_SCOPES));
  });
  afterAll(async () => {
    await close();
    await service.stop();
    removeFolders();
  });

  const tokenWith = async (scopes: string, expiresInSeconds = 600): Promise<string> =>
    (await openTokens(service.store.keys)).sign({ subject: 'ann', scopes: scopes.split(' '), expiresInSeconds });
  const inConsole = async (work: (page: ConsoleTab) => Promise<void>, display: Display = DESKTOP): Promise<void> => {
    const tab = await newTab(display);
    await work(openConsole(tab, service.url, display));
    expect(tab.reportedErrors()).toEqual([]);
    await tab.close();
  };
  const addPet = async (name: string): Promise<string> =>
    String((await call('POST', '/v1/pets', { body: { name, species: 'CAT', ageMonths: 7, price: '250.00', currency: 'USD' } })).json['id']);

  it('shows nothing without a token, and opens once with the link of a terminal', async () => {
    const link = `#link=${service.createLink()}`;
    await inConsole(async (page) => {
      await page.open();
      await page.sees('With an access token');
      expect(await page.tab.evaluate<boolean>(`document.querySelector('.console-bar') === null`)).toBe(true);
      await page.open(link);
      await page.sees('Nothing is stuck or parked');
      expect(await page.tab.evaluate('location.hash')).not.toContain('link');
      await page.sees('cli:ann');
    });
    const tab = await newTab(DESKTOP);
    const page = openConsole(tab, service.url, DESKTOP);
    await page.open(link);
    await page.sees('The link was used, has expired or is unknown.');
    await tab.close();
  });

  it('signs a person in with an account of staff, in a window of its own, and out again', async () => {
    await service.createFirstAdmin({ password: PASSWORD, isOnTerminal: false, program: 'petstore' });
    await inConsole(async (page) => {
      const { tab } = page;
      await page.open('#/stuck');
      const { inWindow, heading } = await openSignIn(page);
      await heading('Sign in');
      await inWindow(`{ document.getElementById('username').value = 'admin'; document.getElementById('password').value = '${PASSWORD}'; }`);
      await inWindow(`document.querySelector('button[value="sign-in"]').click()`);
      await heading('Give access');
      await inWindow(`document.querySelector('button[value="allow"]').click()`);
      await page.sees('Nothing is stuck');
      expect(await tab.evaluate('location.hash')).toBe('#/stuck');
      expect(await tab.evaluate<boolean>('window.signIn.closed')).toBe(true);
      await page.press('Sign out');
      await page.sees('You have signed out.');
    });
  });

  it('traces a changed price to who changed it and what followed, and shows a hostile name as text', async () => {
    const pet = await addPet(HOSTILE);
    const body = { name: HOSTILE, species: 'CAT', ageMonths: 7, status: 'AVAILABLE', price: '199.00', currency: 'USD' };
    expect((await call('PUT', `/v1/pets/${pet}`, { body, headers: { 'x-request-id': 'sale-7' } })).status).toBe(200);
    await inConsole(async (page) => {
      await page.open('#/streams');
      await page.signIn(await tokenWith('audit:read'));
      await page.type('search', HOSTILE);
      await page.sees(`pet-${pet}`);
      await page.sees(HOSTILE);
      expect(await page.tab.evaluate('document.title')).toContain('Story of a pet');
      await page.sees(/price\s+250\.00\s+199\.00/);
      await page.go('#/requests/sale-7', 'What a request caused');
      await page.sees('1 event in 1 stream.');
      await page.sees(/petstore\.pets\.v1/);
      expect(await page.violations()).toEqual([]);
    });
  });

  it('shows a rebuild that a command has begun, up to its switch', async () => {
    for (let n = 0; n < 20; n++) await addPet(`Luna ${n}`);
    await inConsole(async (page) => {
      await page.open('#/projections');
      await page.signIn(await tokenWith('ops'));
      await page.sees('adoptions');
      expect((await runPetstore(['projections', 'rebuild', 'pets', '--reason', 'a row is damaged'], { dataDir })).code).toBe(0);
      await page.sees(/switched\s*Queries read the rebuild/i);
      expect(await page.violations()).toEqual([]);
    });
  });

  it('shows an auditor no page of operators, and an operator none of auditors', async () => {
    const pages = async (scopes: string): Promise<string> => {
      let shown = '';
      await inConsole(async (page) => {
        await page.open();
        await page.signIn(await tokenWith(scopes));
        await eventually('the connection', async () => (await page.text()).includes('Live'));
        shown = await page.tab.evaluate(`[...document.querySelectorAll('.console-bar li')].map((one) => one.innerText.trim()).join(' ')`);
      });
      return shown;
    };
    expect(await pages('audit:read')).toBe('Streams Audit');
    expect(await pages('ops')).toBe('Overview Stuck Parked Projections Consumers Deliveries Accounts Clients Keys');
  });

  it('says when the token has ended, and keeps its place', async () => {
    await inConsole(async (page) => {
      await page.open('#/deliveries');
      await page.signIn(await tokenWith('ops', 2));
      await page.sees('Your access token has ended.');
      await page.sees('Sign in again to go on');
      expect(await page.tab.evaluate('location.hash')).toBe('#/deliveries');
      await page.signIn(await tokenWith('ops'));
      await eventually('the end of the question', async () => !(await page.text()).includes('Sign in again to go on'));
      expect(await page.tab.evaluate(`JSON.stringify([localStorage.length, sessionStorage.length, document.cookie])`)).toBe('[0,0,""]');
    });
  });
});

/** Proves contract 43.11. */
describeIfAvailable('the console with an outside issuer, in Chromium', await startBrowser(), ({ newTab, close }) => {
  let issuer: TestIssuer;
  let service: RunningPetstore | undefined;
  beforeAll(async () => {
    issuer = await startIssuer(await createIssuerKey('first'));
  });
  afterEach(async () => {
    await service?.stop();
    service = undefined;
  });
  afterAll(async () => {
    await close();
    await issuer.stop();
  });

  const startWith = async (env: Readonly<Record<string, string>>): Promise<ConsoleTab> => {
    const claims = { OIDC_ISSUER: issuer.url, OIDC_AUDIENCE: 'petstore', OIDC_SCOPE_CLAIM: 'realm_access.roles' };
    service = await start(parseSettings({ PORT: '0', DATA_DIR: ':memory:', ...claims, ...env }), createLog('silent'));
    return openConsole(await newTab(DESKTOP), service.url, DESKTOP);
  };

  it('signs in there by its own client, and reads the scopes where that issuer puts them', async () => {
    const asked: URLSearchParams[] = [];
    const forPages = { 'access-control-allow-origin': '*', 'content-type': 'application/json' };
    const [authorization_endpoint, token_endpoint] = [`${issuer.url}/authorize`, `${issuer.url}/token`];
    const configuration = { issuer: issuer.url, jwks_uri: issuer.url + KEYS, authorization_endpoint, token_endpoint };
    issuer.answer(DISCOVERY, (_, response) => void response.writeHead(200, forPages).end(JSON.stringify(configuration)));
    issuer.answer('/authorize', ({ url = '' }, response) => {
      const query = new URL(url, issuer.url).searchParams;
      asked.push(query);
      const back = `${query.get('redirect_uri')}?${new URLSearchParams({ code: 'c', state: query.get('state') ?? '' }).toString()}`;
      // The page of the issuer cuts the window off from the page that has opened it.
      response.writeHead(303, { location: back, 'cross-origin-opener-policy': 'same-origin' }).end();
    });
    issuer.answer('/token', (request, response) => {
      let body = '';
      request.setEncoding('utf8').on('data', (text: string) => (body += text));
      request.on('end', () => {
        asked.push(new URLSearchParams(body));
        const claims = { sub: 'olga', realm_access: { roles: ['ops', 'audit:read'] } };
        void issuer.sign(claims).then((token) => response.writeHead(200, forPages).end(JSON.stringify({ access_token: token })));
      });
    });
    const page = await startWith({ CONSOLE_CLIENT_ID: 'pets-console' });
    await page.open();
    await page.press('Sign in');
    await page.sees('Nothing is stuck or parked');
    await page.sees('olga');
    const [authorized, exchanged] = asked;
    expect([authorized?.get('client_id'), exchanged?.get('client_id')]).toEqual(['pets-console', 'pets-console']);
    const digest = createHash('sha256')
      .update(exchanged?.get('code_verifier') ?? '')
      .digest('base64url');
    expect(authorized?.get('code_challenge')).toBe(digest);
    expect(page.tab.reportedErrors()).toEqual([]);
  });

  it('says how to set its client if the issuer has none for it', async () => {
    const page = await startWith({});
    await page.open();
    await page.sees('set CONSOLE_CLIENT_ID to its id');
  });
});
