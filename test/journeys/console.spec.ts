import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { createLog } from '../../apps/petstore/logging/log.js';
import { openTokens } from '../../apps/petstore/composition/tokens.js';
import { start, type RunningPetstore } from '../../apps/petstore/start.js';
import { parseSettings } from '../../libs/settings/settings.js';
import { eventually } from '../eventually.js';
import { startBrowser, type Display } from '../servers/browser.js';
import { caller, type Call } from '../servers/calling.js';
import { newFolder, removeFolders } from '../servers/data-folder.js';
import { runPetstore, STAFF_SCOPES } from '../servers/process.js';
import { describeIfAvailable } from '../servers/services/describe-if-available.js';
import { openConsole, type ConsoleTab } from './console.js';

const DESKTOP = { width: 1280, height: 900, dark: false };
const HOSTILE = 'Rex <svg onload="document.title = 1">';

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
      await page.sees(/switched\s*Queries read the new fill/i);
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
    expect(await pages('ops')).toBe('Overview Stuck Parked Projections Consumers Deliveries');
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
