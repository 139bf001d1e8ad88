import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { createLog } from '../../apps/petstore/logging/log.js';
import { openTokens } from '../../apps/petstore/composition/tokens.js';
import { start, type RunningPetstore } from '../../apps/petstore/start.js';
import { parseSettings } from '../../libs/settings/settings.js';
import { eventually } from '../eventually.js';
import { startBrowser } from '../servers/browser.js';
import { caller, type Call } from '../servers/calling.js';
import { newFolder, removeFolders } from '../servers/data-folder.js';
import { describeIfAvailable } from '../servers/services/describe-if-available.js';
import { openConsole, type ConsoleTab } from './console.js';
import { failingProjections, POISON, REJECTS } from './failing-projections.js';

const DESKTOP = { width: 1280, height: 900, dark: false };
const PET = { name: 'Rex', species: 'CAT', ageMonths: 7, price: '250.00', currency: 'USD' };

const browser = await startBrowser();
/** Proves contract 43.1, contract 43.3, contract 43.5, contract 43.6, contract 43.7, contract 43.8 and contract 43.11. */
describeIfAvailable('an operator who acts in the console, in Chromium', browser, ({ newTab, close }) => {
  const dataDir = newFolder();
  let isRepaired = false;
  let service: RunningPetstore;
  let call: Call;
  const open = (port: string): Promise<RunningPetstore> =>
    start(parseSettings({ PORT: port, DATA_DIR: dataDir, RATE_LIMIT: 'off' }), createLog('silent'), {
      projections: failingProjections('PetDetailsRevised', () => isRepaired),
    });
  beforeAll(async () => {
    service = await open('0');
    call = caller(service.url, await tokenOf('ann'));
  });
  afterAll(async () => {
    await close();
    await service.stop();
    removeFolders();
  });

  const tokenOf = async (subject: string): Promise<string> =>
    (await openTokens(service.store.keys)).sign({ subject, scopes: ['ops', 'audit:read', 'write:pets'], expiresInSeconds: 900 });
  const openAt = async (fragment: string, subject = 'ann'): Promise<ConsoleTab> => {
    const page = openConsole(await newTab(DESKTOP), service.url, DESKTOP);
    await page.open(fragment);
    await page.signIn(await tokenOf(subject));
    return page;
  };
  const recorded = async (type: string): Promise<readonly unknown[]> =>
    ((await call('GET', `/v1/audit/events?type=${type}`)).json as { data: readonly { data: unknown }[] }).data.map(({ data }) => data);
  const stateOf = async (name: string) =>
    ((await call('GET', '/v1/ops/projections')).json as { data: readonly { name: string; fill?: object; keptUntil?: string }[] }).data.find(
      (one) => one.name === name,
    );

  it('tries a retry, retries and skips what is parked, and unskips it, each with its reason in the log', async () => {
    const { id } = (await call('POST', '/v1/pets', { body: PET })).json as { id: string };
    await call('PUT', `/v1/pets/${id}`, { body: { ...PET, name: POISON, status: 'AVAILABLE' } });
    const stream = `pet-${id}`;
    const page = await openAt('#/parked');
    await page.sees(REJECTS);
    await page.pressNamed(`Retry ${stream} of pets`);
    // A trial folds with the release as it is, in which nothing fails.
    await page.sees('1 would be handled');
    expect(await page.violations()).toEqual([]);
    await page.shoot('retry-trial');
    await page.act('Retry', 'release 5.2 is said to handle it');
    await page.sees(`${REJECTS} in ${stream}`);
    await page.press('Close');
    expect(await recorded('ParkedRetried')).toEqual([{ name: 'pets', stream, reason: 'release 5.2 is said to handle it' }]);

    await page.pressNamed(`Skip event 1 of ${stream}`);
    // The service demands a reason, so the page does not send without one.
    await page.press('Skip');
    expect(await recorded('EventSkipped')).toEqual([]);
    await page.act('Skip', 'the name came from a broken import');
    await page.sees('1 handled');
    await page.shoot('skipped');
    await page.press('Close');
    await page.sees('Nothing is parked');
    isRepaired = true;
    await page.pressNamed(`Unskip event 1 of ${stream}`);
    await page.act('Unskip');
    await page.sees('1 handled');
    await page.press('Close');
    await page.sees('No event is skipped');
    await page.go('#/actions', 'Actions');
    await page.sees(/Unskip event 1[\s\S]*Skip event 1[\s\S]*Retry pet-/);
    expect(await page.violations()).toEqual([]);
    await page.shoot('actions');
    // Each action leads to its event.
    await page.tab.evaluate(`document.querySelector('main a[href*="requests"]').click()`);
    await page.sees('Event unskipped');
    await page.tab.close();
  });

  it('rebuilds, switches, goes back and drops a read model', async () => {
    const page = await openAt('#/projections');
    await page.pressNamed('Rebuild pet-names');
    await page.tab.evaluate(`document.querySelector('dialog [value="yes"]').click()`);
    expect(await page.violations()).toEqual([]);
    await page.shoot('rebuild-question');
    await page.act('Rebuild', 'a row is damaged');
    await page.sees('Done');
    await page.press('Close');
    await page.sees('rebuild: held');
    await page.pressNamed('Switch pet-names');
    await page.act('Switch');
    await page.sees('Done');
    await page.press('Close');
    await page.sees('What it has replaced is kept until');
    await page.pressNamed('Go back to the former pet-names');
    await page.act('Go back', 'to compare them once more');
    await page.sees('Done');
    await page.press('Close');
    await page.pressNamed('Drop the rebuild of pet-names');
    await page.act('Drop', 'it is not needed');
    await page.sees('Done');
    await page.press('Close');
    await eventually('the drop', async () => (await stateOf('pet-names'))?.keptUntil === undefined);
    expect((await recorded('ProjectionSwitched')).map((data) => (data as { back: boolean }).back)).toEqual([false, true]);
    await page.tab.close();
  });

  it('is told when somebody else has acted on what the page shows, and changes nothing then', async () => {
    const [ann, bob] = [await openAt('#/projections', 'ann'), await openAt('#/projections', 'bob')];
    await bob.pressNamed('Pause webhooks');
    await ann.pressNamed('Pause webhooks');
    await ann.sees('new and changed webhook endpoints get no events');
    await ann.act('Pause', 'release 5.2 will repair it');
    await ann.sees('Done');
    await bob.act('Pause');
    await bob.sees('It has changed since this page was read');
    await bob.shoot('somebody-else');
    await bob.press('Close');
    await bob.sees('by ann');
    await bob.pressNamed('Resume webhooks');
    await bob.act('Resume');
    await bob.sees('Done');
    expect((await recorded('ProjectionPaused')).length).toBe(1);
    await ann.tab.close();
    await bob.tab.close();
  });

  it('does nothing twice when the answer is lost, and asks again until there is one', async () => {
    const page = await openAt('#/projections');
    // The service does it, and its answer does not arrive.
    await page.tab.evaluate(
      `{ const real = fetch; window.fetch = async (...parts) => { const answer = await real(...parts); if (parts[1]?.method !== 'POST') return answer; window.fetch = real; throw new TypeError('lost'); }; }`,
    );
    const before = (await recorded('ProjectionPaused')).length;
    await page.pressNamed('Pause webhooks');
    await page.act('Pause');
    await page.sees(/Attempt 2|Done/);
    await page.sees('Done');
    expect((await recorded('ProjectionPaused')).length).toBe(before + 1);
    await page.tab.close();
  });

  it('goes on over a restart of the service, without losing what was sent meanwhile', async () => {
    const page = await openAt('#/projections');
    await page.sees('by ann');
    const port = new URL(service.url).port;
    await service.stop();
    await page.pressNamed('Resume webhooks');
    await page.act('Resume', 'after the restart');
    await page.sees('no answer has come yet');
    await page.press('Close');
    await page.sees(/Actions\s*1/);
    await page.shoot('waiting-for-the-service');
    service = await open(port);
    call = caller(service.url, await tokenOf('ann'));
    await page.go('#/actions', 'Actions');
    await page.sees('Done');
    expect((await recorded('ProjectionResumed')).at(-1)).toEqual({ projection: 'webhooks', reason: 'after the restart' });
    await page.tab.close();
  });
});
