import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { createLog } from '../../apps/petstore/logging/log.js';
import { openTokens } from '../../apps/petstore/composition/tokens.js';
import { start, type RunningPetstore } from '../../apps/petstore/start.js';
import { parseSettings } from '../../libs/settings/settings.js';
import { eventually } from '../eventually.js';
import { startBrowser, type Display } from '../servers/browser.js';
import { caller, type Call } from '../servers/calling.js';
import { newFolder, removeFolders } from '../servers/data-folder.js';
import { runPetstore } from '../servers/process.js';
import { describeIfAvailable } from '../servers/services/describe-if-available.js';
import { openConsole, type ConsoleTab } from './console.js';

const DESKTOP: Display = { width: 1280, height: 900, dark: false };
const PHONE: Display = { width: 390, height: 844, dark: true };
const AUDITOR = 'audit:read ops';
/** The position of an event that is not in the first page that an export reads. */
const LATE = 290;
const LUNA = { name: 'Luna', species: 'DOG', ageMonths: 12 };

const browser = await startBrowser();
/** Proves contract 35.18. */
describeIfAvailable('the verification in the console, in Chromium', browser, ({ newTab, close }) => {
  const dataDir = newFolder();
  const kept = newFolder();
  let service: RunningPetstore;
  let call: Call;
  let pet: string;
  /** The second after the pets of the seed, in UTC. */
  let from: string;
  /** What the auditor keeps, and what another store has. */
  let keys: string;
  let checkpoints: string;
  let otherKeys: string;
  let otherCheckpoints: string;
  beforeAll(async () => {
    const other = newFolder();
    const seed = (folder: string, pets: number) => runPetstore(['seed', '--pets', `${pets}`, '--pictures', '0'], { dataDir: folder });
    expect((await Promise.all([seed(dataDir, 300), seed(other, 1)])).map(({ code }) => code)).toEqual([0, 0]);
    service = await start(parseSettings({ PORT: '0', DATA_DIR: dataDir, RATE_LIMIT: 'off' }), createLog('silent'));
    call = caller(service.url, await tokenWith(`${AUDITOR} write:pets`));
    const second = (time: Date): string => time.toISOString().slice(0, 19);
    const seeded = second(new Date());
    from = await eventually('the next second', () => (second(new Date()) > seeded ? second(new Date()) : null));
    for (let n = 0; n < 5; n++) pet = String((await call('POST', '/v1/pets', { body: LUNA })).json['id']);
    expect((await call('POST', '/v1/audit/checkpoints')).status).toBe(200);
    expect((await runPetstore(['audit', 'checkpoint'], { dataDir: other })).code).toBe(0);
    [[keys, checkpoints], [otherKeys, otherCheckpoints]] = await Promise.all([copiesOf(dataDir, 'own'), copiesOf(other, 'other')]);
  });
  afterAll(async () => {
    await close();
    await service.stop();
    removeFolders();
  });

  /** Keeps the output of two commands on the disk, and reads the files. */
  const copiesOf = async (folder: string, name: string): Promise<[string, string]> => {
    const [key, checkpoint] = await Promise.all(['key', 'checkpoints'].map((what) => runPetstore(['audit', what], { dataDir: folder })));
    const paths = [join(kept, `${name}-keys.json`), join(kept, `${name}-checkpoints.ndjson`)] as const;
    writeFileSync(paths[0], key?.stdout ?? '');
    writeFileSync(paths[1], checkpoint?.stdout ?? '');
    return [readFileSync(paths[0], 'utf8'), readFileSync(paths[1], 'utf8')];
  };
  const tokenWith = async (scopes: string): Promise<string> =>
    (await openTokens(service.store.keys)).sign({ subject: 'ann', scopes: scopes.split(' '), expiresInSeconds: 600 });
  const inConsole = async (
    work: (page: ConsoleTab) => Promise<void>,
    { display = DESKTOP, scopes = AUDITOR, reported = [] }: { display?: Display; scopes?: string; reported?: readonly unknown[] } = {},
  ): Promise<void> => {
    const tab = await newTab(display);
    const page = openConsole(tab, service.url, display);
    await page.open('#/audit');
    await page.signIn(await tokenWith(scopes));
    await work(page);
    expect(tab.reportedErrors()).toEqual(reported);
    expect(await tab.evaluate('JSON.stringify([localStorage.length, sessionStorage.length])')).toBe('[0,0]');
    await tab.close();
  };
  const verify = async (page: ConsoleTab, files: Readonly<Record<'keys' | 'copies', string>>): Promise<void> => {
    await page.choose('keys', { 'keys.json': files.keys });
    if (files.copies !== '') await page.choose('copies', { 'checkpoints.ndjson': files.copies });
    await page.press('Verify');
  };
  const exported = async (body: object): Promise<string> => {
    const { id } = (await call('POST', '/v1/audit/exports', { body })).json as { readonly id: string };
    return (
      await fetch(`${service.url}/v1/audit/exports/${id}`, { headers: { authorization: `Bearer ${await tokenWith(AUDITOR)}` } })
    ).text();
  };

  it.each(process.env['SHOTS'] === undefined ? [DESKTOP, PHONE] : [DESKTOP, PHONE, { ...DESKTOP, dark: true }, { ...PHONE, dark: false }])(
    'begins an export, fetches it, and verifies it with copies from the disk: %j',
    (display) =>
      inConsole(
        async (page) => {
          await page.sees('Verify it yourself here');
          await page.shoot('audit');
          await page.click('Export events');
          await page.sees('Plan it');
          await page.tab.evaluate(`{ document.querySelector('input[name=from]').value = '${from}'; }`);
          await page.press('Plan it');
          await page.sees(/Is read\s+[\d,]+ events of the log/);
          await page.press('Begin');
          await page.sees('The export is here');
          await page.sees(/petstore-export-\d{4}-\d\d-\d\d-to-checkpoint-\d+\.ndjson/);
          expect(await page.tab.evaluate(`document.querySelector('a[download]').href.startsWith('blob:')`)).toBe(true);
          expect([await page.violations(), await page.isTooWide()]).toEqual([[], false]);
          await page.shoot('export');
          await page.click('Verify this export now');
          await page.sees('The export that this page has fetched');
          await page.shoot('verify');
          await verify(page, { keys, copies: checkpoints });
          await page.sees('The export is whole');
          await page.sees(/Compared with your copies: \d+ checkpoint/);
          await page.sees('Print or save as PDF');
          await page.sees('Pet listed');
          await page.sees(`pet-${pet}`);
          expect([await page.violations(), await page.isTooWide()]).toEqual([[], false]);
          await page.shoot('report');
        },
        { display },
      ),
  );

  it('says that the connection was lost before the end, and begins the same export again', async () => {
    const alter = (data: (from: string) => string): void => {
      const database = new DatabaseSync(join(dataDir, 'petstore.sqlite'), { timeout: 5_000 });
      const event = database.prepare('SELECT data FROM events WHERE position = ?').get(LATE) as { readonly data: string };
      database.prepare('UPDATE events SET data = ? WHERE position = ?').run(data(event.data), LATE);
      database.close();
    };
    await inConsole(
      async (page) => {
        await page.click('Export events');
        await page.press('Plan it');
        alter((text) => `${text} `.replace('"name":"', '"name":"X'));
        await page.press('Begin');
        await page.sees('The connection was lost');
        await page.sees(/2\d\d lines had arrived/);
        expect([await page.violations(), (await page.text()).includes('The export is here')]).toEqual([[], false]);
        await page.shoot('lost');
        alter((text) => text.trimEnd().replace('"name":"X', '"name":"'));
        await page.press('Begin again');
        await page.sees('The export is here');
      },
      { reported: [expect.stringContaining('ERR_INCOMPLETE_CHUNKED_ENCODING')] },
    );
  });

  it('names the line of a changed byte, and has no report of it', async () => {
    const whole = await exported({});
    const lines = whole.split('\n');
    const changed = [...lines.slice(0, 4), lines[4]?.replace('"name":"', '"name":"X'), ...lines.slice(5)].join('\n');
    expect(changed).not.toBe(whole);
    await inConsole(async (page) => {
      await page.go('#/audit/verify', 'Verify it yourself here');
      await page.choose('export', { 'export.ndjson': changed });
      await verify(page, { keys, copies: checkpoints });
      await page.sees(/The export has \d faults/);
      await page.sees('events.ndjson, line 5');
      await page.sees('it does not match its hash');
      expect(await page.text()).not.toContain('Print or save as PDF');
      expect(await page.violations()).toEqual([]);
      await page.shoot('altered');
      // The whole export of two files, after the damaged one.
      await page.choose('export', { 'manifest.json': `${lines.at(-2)}\n`, 'events.ndjson': `${lines.slice(0, -2).join('\n')}\n` });
      await page.press('Verify');
      await page.sees('The export is whole');
    });
  });

  it('rejects a key that is not among the copies, the copies of another store, and a file that was cut', async () => {
    const whole = await exported({ stream: `pet-${pet}` });
    await inConsole(async (page) => {
      await page.go('#/audit/verify', 'Verify it yourself here');
      await page.choose('export', { 'export.ndjson': whole });
      await verify(page, { keys: otherKeys, copies: '' });
      await page.sees(/manifest\.json\s+the key \S+ is not among the known public keys/);
      await page.sees('The export cannot be verified with your keys');
      await page.sees(/Your copy of the keys lacks the key \S+\. If the service has rotated its key since your copy/);
      expect(await page.tab.evaluate(`document.querySelector('.verdict').className`)).toBe('verdict warning');
      await verify(page, { keys, copies: otherCheckpoints });
      await page.sees(/This file cannot be used: checkpoint 0: the key \S+ is not among the known public keys/);
      await page.choose('copies', {});
      await page.press('Verify');
      await page.sees('Nothing was compared');
      await page.sees(/This export ends at checkpoint \d+/);
      await page.sees('export.ndjson');
      await page.sees('1 event of the stream');
      await page.choose('export', { 'export.ndjson': whole.slice(0, -100).slice(0, whole.indexOf('\n') + 1) });
      await page.press('Verify');
      await page.sees('Its last line is no manifest, so it is incomplete');
      expect(await page.violations()).toEqual([]);
    });
  });

  it('verifies the checkpoints that the service shows, with the copies', async () => {
    await inConsole(async (page) => {
      await page.go('#/audit/verify', 'Verify it yourself here');
      await page.tab.evaluate(`{ document.querySelector('input[value=shown]').click(); }`);
      await verify(page, { keys, copies: checkpoints });
      await page.sees('The checkpoints are genuine');
      await page.sees(/Compared with your copies: \d+ checkpoint/);
      await page.sees('This compares checkpoints only');
      const [first = ''] = checkpoints.split('\n');
      await page.choose('copies', { 'checkpoints.ndjson': first.replace('"index":0', '"index":900') });
      await page.press('Verify');
      await page.sees('This file cannot be used: checkpoint 900: its signature is not valid');
    });
  });

  it('saves the public keys and the checkpoints as the commands print them', async () => {
    await inConsole(async (page) => {
      await page.sees('Save the checkpoints');
      await page.tab.evaluate(`{
        const create = URL.createObjectURL;
        URL.createObjectURL = (blob) => { void blob.text().then((text) => { window.saved = text; }); return create(blob); };
      }`);
      for (const [button, content] of [
        ['Save the public keys', keys],
        ['Save the checkpoints', checkpoints],
      ] as const) {
        await page.press(button);
        const isSaved = (): Promise<boolean> => page.tab.evaluate<boolean>(`window.saved?.startsWith(${JSON.stringify(content)}) === true`);
        await eventually(`the file of "${button}"`, isSaved);
      }
      expect(await page.violations()).toEqual([]);
    });
  });

  it('says who may export, and lets an auditor without that verify', async () => {
    await inConsole(
      async (page) => {
        await page.go('#/audit/export', 'Export events');
        await page.sees('It needs a token with the scopes');
        expect(await page.violations()).toEqual([]);
        await page.go('#/audit/verify', 'Verify it yourself here');
        await page.sees('An export on this machine');
        await page.go('#/audit/nothing', 'There is no such page');
      },
      { scopes: 'audit:read' },
    );
  });
});
