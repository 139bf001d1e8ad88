import { beforeAll, expect, it } from '@jest/globals';
import { eventually } from '../eventually.js';
import { ALTERATIONS, alter } from '../http/altered-histories.js';
import type { Browser, Display } from '../servers/browser.js';
import { caller, type Call } from '../servers/calling.js';
import { STAFF_SCOPES } from '../servers/process.js';
import { untilPauseHolds } from './hold-of-pause.js';
import { openConsole, type ConsoleTab } from './console.js';

/** A service, and what happens behind its interface. */
export type Scene = {
  readonly url: string;
  petstore(...args: readonly string[]): Promise<string>;
  /** Changes a price in the log. */
  alterPrice(stream: string): Promise<void>;
  /** Returns a stream of a pet whose event 1 the read model of pets has parked. */
  parkedStream(): Promise<string>;
};

export const CONSOLE_PET = { name: 'Rex', species: 'DOG', ageMonths: 3, status: 'AVAILABLE', price: '250.00', currency: 'USD' };
/** So an unpaid order is stuck a minute later, and an export has checkpoints. */
export const CONSOLE_ENV = { ORDER_HOLD: '1s', CHECKPOINT_EVERY: '5s', LOG_LEVEL: 'warn' };
/** Milliseconds until an order counts as stuck, with time to spare. */
const UNTIL_STUCK = 120_000;

const DISPLAYS: readonly (readonly [string, Display])[] = [
  ['a desktop, light', { width: 1280, height: 900, dark: false }],
  ['a desktop, dark', { width: 1280, height: 900, dark: true }],
  ['a phone, light', { width: 390, height: 844, dark: false }],
  ['a phone, dark', { width: 390, height: 844, dark: true }],
];
const PAGES = {
  '#/': 'Overview',
  '#/stuck': 'Stuck',
  '#/parked': 'Parked',
  '#/streams': 'Streams',
  '#/projections': 'Projections',
  '#/consumers': 'Consumers',
  '#/deliveries': 'Deliveries',
  '#/accounts': 'Accounts',
  '#/clients': 'Clients',
  '#/keys': 'Keys',
  '#/audit': 'Audit',
  '#/audit/export': 'Export',
  '#/audit/verify': 'Verify',
} as const;

/** Alters the price in the event with the revision 1. */
export const alterPriceIn = async (folder: string, stream: string): Promise<void> => {
  const [change] = ALTERATIONS;
  if (change) await alter(folder, stream, change);
};

/** Defines the tests of the console of a service. */
export const defineConsoleTests = ({ newTab }: Browser, open: () => Promise<Scene>): void => {
  let scene: Scene;
  let token: string;
  let call: Call;
  beforeAll(async () => {
    scene = await open();
    token = (await scene.petstore('token', '--scope', `${STAFF_SCOPES} audit:read`)).trim();
    call = caller(scene.url, token);
  });

  const inConsole = async (display: Display, work: (page: ConsoleTab) => Promise<void>): Promise<void> => {
    const tab = await newTab(display);
    const page = openConsole(tab, scene.url, display);
    await page.open();
    await page.signIn(token);
    await work(page);
    await tab.close();
  };
  const addPet = async (): Promise<string> => String((await call('POST', '/v1/pets', { body: CONSOLE_PET })).json['id']);
  const lagOf = async (name: string): Promise<number> => {
    const states = (await call('GET', '/v1/ops/projections')).json['data'] as readonly { name: string; behind: number | null }[];
    return states.find((one) => one.name === name)?.behind ?? 0;
  };
  const expectFine = async (page: ConsoleTab, name: string): Promise<void> => {
    await page.shoot(name);
    expect([name, await page.violations(), await page.isTooWide()]).toEqual([name, [], false]);
  };
  const [[, desktop], , [, phone]] = DISPLAYS as readonly [(typeof DISPLAYS)[0], (typeof DISPLAYS)[0], (typeof DISPLAYS)[0]];

  it('explains a stuck order', async () => {
    await scene.petstore('projections', 'pause', 'orders', '--yes', '--reason', 'release 5.2 will repair it');
    // Otherwise the order would be cancelled in time.
    await untilPauseHolds(addPet, () => lagOf('orders'), 30);
    await eventually('the other read models', async () => (await lagOf('pets')) === 0);
    const order = await call('POST', '/v1/orders', { body: { petId: await addPet() } });
    const stream = `order-${String(order.json['id'])}`;
    await eventually('the stuck order', async () => (await call('GET', '/v1/ops/stuck')).text.includes(stream), UNTIL_STUCK);
    for (const display of [desktop, phone])
      await inConsole(display, async (page) => {
        await page.sees(/Orders are unpaid for longer|orders is paused/i);
        await expectFine(page, 'overview-stuck');
        await page.go('#/stuck', 'Stuck');
        await page.sees(stream);
        await page.sees('has paused the read model orders, by which it is found');
        await page.sees('petstore projections resume orders');
        await expectFine(page, 'stuck');
        await page.click(stream);
        await page.sees('Order placed');
        expect(await page.tab.evaluate('document.title')).toContain('Story of an order');
      });
    await scene.petstore('projections', 'resume', 'orders');
  });

  it('traces a changed price to its consequences', async () => {
    const pet = await addPet();
    const changed = await call('PUT', `/v1/pets/${pet}`, { body: { ...CONSOLE_PET, status: 'NOT_AVAILABLE', price: '199.00' } });
    expect(changed.status).toBe(200);
    for (const display of [desktop, phone])
      await inConsole(display, async (page) => {
        await page.go('#/streams', 'Streams');
        await page.type('search', pet);
        await page.sees(/price\s+250\.00\s+199\.00/);
        await page.sees(/As it was/);
        await expectFine(page, 'story');
        await page.go(`#/requests/${String(changed.headers['x-request-id'])}`, 'What a request caused');
        await page.sees(/price\s+250\.00\s+199\.00/);
        await page.sees('petstore.pets.v1');
        await expectFine(page, 'request');
      });
  });

  it('shows a rebuild that a command has begun, up to its switch', async () => {
    for (let n = 0; n < 50; n++) await addPet();
    for (const display of [desktop, phone])
      await inConsole(display, async (page) => {
        await page.go('#/projections', 'Projections');
        await page.sees('pet-names');
        await scene.petstore('projections', 'rebuild', 'pets', '--reason', 'a row is damaged');
        await page.sees(/switched\s*Queries read the rebuild/i);
        await expectFine(page, 'rebuilt');
        await scene.petstore('projections', 'drop', 'pets', '--reason', 'it is not needed');
      });
  });

  it('retries and skips a parked stream', async () => {
    const stream = await scene.parkedStream();
    await inConsole(desktop, async (page) => {
      await page.go('#/parked', 'Parked');
      await page.pressNamed(`Retry ${stream} of pets`);
      await page.sees('1 would be parked again');
      await expectFine(page, 'retry');
      await page.act('Retry', 'to see whether it still fails');
      await page.sees('1 still parked');
      await page.press('Close');
    });
    await inConsole(phone, async (page) => {
      await page.go('#/parked', 'Parked');
      await page.pressNamed(`Skip event 1 of ${stream}`);
      await expectFine(page, 'skip');
      await page.act('Skip', 'a broken import wrote it');
      await page.sees('1 handled');
      await expectFine(page, 'skip-done');
      await page.press('Close');
      await page.sees('Nothing is parked');
      await expectFine(page, 'skipped');
    });
  });

  it('switches to a rebuild, and back', async () => {
    for (const display of [desktop, phone])
      await inConsole(display, async (page) => {
        const act = async (button: string, verb: string, reason?: string): Promise<void> => {
          await page.pressNamed(button);
          await expectFine(page, verb.toLowerCase().replace(' ', '-'));
          await page.act(verb, reason);
          await page.sees(/Done|Refused/);
          expect(await page.tab.evaluate(`document.querySelector('dialog .outcome').innerText`)).toContain('Done');
          await page.press('Close');
        };
        await page.go('#/projections', 'Projections');
        await page.pressNamed('Rebuild users');
        await page.tab.evaluate(`document.querySelector('dialog [value="yes"]').click()`);
        await page.act('Rebuild', 'a row is damaged');
        await page.sees('Done');
        await page.press('Close');
        await page.sees('rebuild: held');
        await expectFine(page, 'held');
        await act('Switch users', 'Switch');
        await act('Go back to the former users', 'Go back');
        await act('Drop the rebuild of users', 'Drop', 'it is not needed');
      });
  });

  it('erases a person, with the reason in the log', async () => {
    const user = await call('POST', '/v1/ops/users', {
      body: { username: 'ann', email: 'ann@example.com', password: 'correct horse battery', firstName: 'Ann' },
    });
    const id = String(user.json['id']);
    const from = new Date().toISOString();
    await inConsole(phone, async (page) => {
      await page.go(`#/accounts/${id}`, 'Account ann');
      await expectFine(page, 'account');
      await page.press('Erase…');
      await expectFine(page, 'erase');
      await page.act('Erase for good', 'asked for by letter');
      await page.sees('Done');
      await page.press('Close');
      await page.sees('No account has this id');
    });
    expect((await call('GET', `/v1/ops/users/${id}`)).status).toBe(404);
    const { data } = (await call('GET', `/v1/audit/events?type=SecurityEventRecorded&from=${from}`)).json as {
      data: readonly { data: object }[];
    };
    expect(data.map((event) => event.data)).toContainEqual(
      expect.objectContaining({ operation: 'deleteUser', target: id, reason: 'asked for by letter' }),
    );
  });

  it('rotates the key of tokens, and that of checkpoints', async () => {
    await inConsole(desktop, async (page) => {
      const rotate = async (button: string): Promise<void> => {
        await page.press(button);
        await expectFine(page, 'rotate');
        await page.act('Rotate', 'as each quarter');
        await page.sees(/Done|Refused/);
        expect(await page.tab.evaluate(`document.querySelector('dialog .outcome').innerText`)).toContain('Done');
        await page.press('Close');
      };
      await page.go('#/keys', 'Keys');
      await rotate('Rotate the key for tokens…');
      await rotate('Rotate the key for checkpoints…');
      await page.sees('announced');
      await expectFine(page, 'keys');
    });
  });

  it('verifies an export with copies from the disk, and finds a damaged one', async () => {
    await addPet();
    const added = new Date().toISOString();
    const checkpoints = await eventually('a checkpoint of the pet', async () => {
      const lines = await scene.petstore('audit', 'checkpoints');
      const [last] = lines.trim().split('\n').slice(-1);
      const { checkpoint } = JSON.parse(last || '{}') as { readonly checkpoint?: { readonly time: string } };
      return checkpoint && checkpoint.time > added ? lines : null;
    });
    const keys = await scene.petstore('audit', 'key');
    const begun = (await call('POST', '/v1/audit/exports', { body: {} })).json as { readonly id: string };
    const authorization = `Bearer ${token}`;
    const file = await (await fetch(`${scene.url}/v1/audit/exports/${begun.id}`, { headers: { authorization } })).text();
    for (const [display, text, found] of [
      [desktop, file, 'The export is whole'],
      [phone, file.replace('"price":"250.00"', '"price":"1.00"'), 'it does not match its hash'],
    ] as const)
      await inConsole(display, async (page) => {
        await page.go('#/audit/verify', 'Verify');
        await page.choose('keys', { 'keys.json': keys });
        await page.choose('copies', { 'checkpoints.ndjson': checkpoints });
        await page.choose('export', { 'export.ndjson': text });
        await page.press('Verify');
        await page.sees(found);
        await expectFine(page, `verified-${found.length}`);
      });
  });

  it.each(DISPLAYS)('is accessible on %s, on each page', async (name, display) => {
    await inConsole(display, async (page) => {
      await page.sees('Live');
      for (const [fragment, heading] of Object.entries(PAGES)) {
        await page.go(fragment, heading);
        await eventually('the content', async () => !/Reading…|Waiting for the first report/.test(await page.text()));
        await expectFine(page, `${heading.toLowerCase()} on ${name}`);
      }
      expect(page.tab.reportedErrors()).toEqual([]);
    });
  });

  it('finds an altered event, and says what helps', async () => {
    const pet = await addPet();
    for (const price of ['250.00', '251.00'])
      await call('PUT', `/v1/pets/${pet}`, { body: { ...CONSOLE_PET, name: `Rex ${price}`, price } });
    await scene.alterPrice(`pet-${pet}`);
    for (const display of [desktop, phone])
      await inConsole(display, async (page) => {
        await page.go(`#/streams/pet-${pet}`, 'Story of a pet');
        await page.sees('was changed after it was written');
        await page.sees('restore a backup from before the change');
        await expectFine(page, 'altered-story');
        await page.go('#/', 'Overview');
        await page.sees(/1 stream is broken/);
        await page.go('#/audit', 'Audit');
        await page.sees(`pet-${pet}`);
        await expectFine(page, 'altered-audit');
      });
  });
};
