import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { GUIDE_NAMES } from '../../apps/api/describe/pages/guides/guides.js';
import { PROBLEMS } from '../../apps/api/http/problems/problem-kinds.js';
import { TEST_INSTRUMENTS } from '../../apps/api/payments/payment.examples.js';
import { OPERATIONS } from '../../apps/api/operations.js';
import { eventually } from '../eventually.js';
import { startBrowser, type Display, type Tab } from '../servers/browser.js';
import { describeIfAvailable } from '../servers/services/describe-if-available.js';
import { startTestPetstore, type TestPetstore } from '../servers/test-petstore.js';
import { createPerson, PASSWORD } from './oauth-people.js';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

const PHONE = { width: 390, height: 844 };
const DESKTOP = { width: 1280, height: 900 };
const DISPLAYS: readonly (readonly [string, Display])[] = [
  ['a phone, light', { ...PHONE, dark: false }],
  ['a phone, dark', { ...PHONE, dark: true }],
  ['a desktop, light', { ...DESKTOP, dark: false }],
  ['a desktop, dark', { ...DESKTOP, dark: true }],
];
const ERROR_PAGES = Object.keys(PROBLEMS).map((kind) => `/errors/${kind}`);
const GUIDE_PAGES = ['/docs/guides', ...GUIDE_NAMES.map((name) => `/docs/guides/${name}`)];
const PLAIN_PAGES = ['/', '/docs/events', ...GUIDE_PAGES, '/errors', ...ERROR_PAGES, '/no-such-page'];

type Violation = { readonly id: string; readonly nodes: readonly string[] };

/** Returns the rules that axe reports as broken, each with the elements that break it. */
const violations = async (tab: Tab): Promise<readonly Violation[]> => {
  await tab.evaluate(AXE);
  return tab.evaluate(`axe.run(document, { resultTypes: ['violations'] }).then(({ violations }) =>
    violations.map(({ id, nodes }) => ({ id, nodes: nodes.map(({ target, failureSummary }) => target.join(' ') + ': ' + failureSummary) })))`);
};

/** Removes the expected error about the missing page. */
const withoutNotFound = (errors: readonly string[]) => errors.filter((text) => !/404 .*\/no-such-page$/.test(text));

const browser = await startBrowser();
describeIfAvailable('the pages in Chromium', browser, ({ newTab, close }) => {
  let service: TestPetstore;
  beforeAll(async () => {
    service = await startTestPetstore();
  });
  afterAll(async () => {
    await close();
    await service.stop();
  });

  const inTab = async (display: Display, work: (tab: Tab) => Promise<void>): Promise<void> => {
    const tab = await newTab(display);
    try {
      await work(tab);
    } finally {
      await tab.close();
    }
  };
  const openReference = async (tab: Tab, anchor = '', path = '/docs'): Promise<void> => {
    await tab.open(`${service.url}${path}${anchor}`);
    const shown = anchor === '' ? '.opblock-tag' : '.opblock.is-open .responses-table';
    await eventually('the reference', () => tab.evaluate<boolean>(`document.querySelector('${shown}') !== null`));
  };
  const expectNoViolations = async (tab: Tab, { width }: Display): Promise<void> => {
    expect(await violations(tab)).toEqual([]);
    expect(await tab.evaluate('document.documentElement.scrollWidth')).toBe(width);
    expect(withoutNotFound(tab.reportedErrors())).toEqual([]);
  };

  describe.each(DISPLAYS)('the pages on %s', (_, display) => {
    it('are accessible, fit the width and report no error', () =>
      inTab(display, async (tab) => {
        for (const path of PLAIN_PAGES) {
          await tab.open(service.url + path);
          // axe also checks the content of closed panels.
          await tab.evaluate(`document.querySelectorAll('details').forEach((panel) => (panel.open = true))`);
          await expectNoViolations(tab, display);
        }
      }));

    it('include an accessible reference, with an operation open and with the field for a token', () =>
      inTab(display, async (tab) => {
        await openReference(tab);
        await expectNoViolations(tab, display);
        await openReference(tab, '#/Pets/createPet');
        await expectNoViolations(tab, display);
        await tab.evaluate(`document.querySelector('.auth-wrapper .authorize').click()`);
        await eventually('the dialog', () => tab.evaluate<boolean>(`document.querySelector('.dialog-ux input') !== null`));
        await expectNoViolations(tab, display);
      }));

    it('include an accessible reference of the classic variant, with an operation open', () =>
      inTab(display, async (tab) => {
        await openReference(tab, '#/pet/updatePetWithForm', '/docs/classic');
        await expectNoViolations(tab, display);
      }));
  });

  describe('the reference', () => {
    const textOf = (tab: Tab, selector: string) =>
      tab.evaluate<readonly string[]>(`[...document.querySelectorAll('${selector}')].map(({ innerText }) => innerText.trim())`);
    const click = (tab: Tab, selector: string): Promise<unknown> => tab.evaluate(`document.querySelector('${selector}').click()`);
    /** Sets a value and sends the input event, because React ignores a value without the event. */
    const type = (tab: Tab, selector: string, text: string) =>
      tab.evaluate(`(() => {
        const input = document.querySelector('${selector}');
        Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value').set.call(input, '${text}');
        input.dispatchEvent(new Event('input', { bubbles: true }));
      })()`);

    const SEARCH = '.contents input[type=search]';
    /** Returns the texts of the operations that the sidebar shows. */
    const listed = (tab: Tab) =>
      tab.evaluate<readonly string[]>(
        `[...document.querySelectorAll('.contents li li a > span:last-child')].filter((label) => label.checkVisibility()).map(({ textContent }) => textContent)`,
      );

    it('lists every operation on a phone, once its menu and groups are open', () =>
      inTab({ ...PHONE, dark: false }, async (tab) => {
        await openReference(tab);
        expect(await listed(tab)).toEqual([]);
        await tab.evaluate(`document.querySelectorAll('.menu, .menu details').forEach((panel) => (panel.open = true))`);
        expect(await listed(tab)).toEqual(Object.values(OPERATIONS).map(({ summary }) => summary));
      }));

    it('has each error of an operation under its status, and none is undocumented', () =>
      inTab({ ...DESKTOP, dark: false }, async (tab) => {
        await openReference(tab, '#/Pets/createPet');
        const statuses = await textOf(tab, '.is-open .responses-table > tbody > tr > .response-col_status');
        expect(statuses).toEqual(['201', '400', '401', '403', '413', '415', '422', '429', '500', '503']);
        expect(await tryOut(tab, '#/Pets/createPet')).toBe('401');
      }));

    it('has the parameters of the path and the body before the common headers', () =>
      inTab({ ...DESKTOP, dark: false }, async (tab) => {
        await openReference(tab, '#/Orders/callbackOrder');
        expect(await textOf(tab, '.is-open .opblock-section tr[data-param-name]:not(.headers-panel *) .parameter__name')).toEqual([
          'id\u00a0*',
        ]);
        expect(await textOf(tab, '.is-open .headers-panel summary')).toEqual(['HeadersX-Tenant-ID, Idempotency-Key']);
        expect(
          await tab.evaluate(`document.querySelector('.is-open .opblock-section-request-body')
          .compareDocumentPosition(document.querySelector('.is-open .headers-panel')) & Node.DOCUMENT_POSITION_FOLLOWING`),
        ).toBe(4);
      }));

    it('finds operations by words in any order, opens them by a click, and says that nothing is found', () =>
      inTab({ ...DESKTOP, dark: false }, async (tab) => {
        await openReference(tab);
        await type(tab, SEARCH, 'rotate webhook secret');
        expect(await listed(tab)).toEqual(['Rotate the signing secret']);
        await click(tab, '.contents li:not([hidden]) li:not([hidden]) a');
        await eventually('the operation', async () => (await textOf(tab, '.opblock.is-open .opblock-summary-path')).length === 1);
        expect((await textOf(tab, '.opblock.is-open .opblock-summary-path'))[0]?.replaceAll('\u200b', '')).toBe('/v1/webhooks/{id}/secret');
        await type(tab, SEARCH, 'unicorns');
        expect(await textOf(tab, '.contents [role=status]')).toEqual(['Nothing is found for “unicorns”.']);
      }));

    it('shows a sample of each operation in three languages, with the same request', () =>
      inTab({ ...DESKTOP, dark: false }, async (tab) => {
        await openReference(tab, '#/Pets/createPet');
        const samples: string[] = [];
        for (const language of [1, 2, 3]) {
          await click(tab, `.is-open .languages button:nth-child(${language})`);
          samples.push((await textOf(tab, '.is-open .samples code'))[0] ?? '');
        }
        for (const sample of samples) expect(sample).toMatch(/\/v1\/pets'|\/v1\/pets"/);
        expect(samples.map((sample) => /^curl|fetch\(|requests\./.exec(sample)?.[0])).toEqual(['curl', 'fetch(', 'requests.']);
      }));

    it('has a payment with each test number as an example', () =>
      inTab({ ...DESKTOP, dark: false }, async (tab) => {
        await openReference(tab, '#/Payments/createOrderPayment');
        const examples = await textOf(tab, '.is-open .opblock-section-request-body .examples-select-element option');
        expect(examples).toEqual(['typical', ...Object.keys(TEST_INSTRUMENTS)]);
      }));

    /** Opens the dialog in which a person authorizes requests, without the token of an earlier test. */
    const openDialog = async (tab: Tab): Promise<void> => {
      await tab.open(`${service.url}/`);
      await tab.evaluate('localStorage.clear()');
      await openReference(tab);
      await click(tab, '.auth-wrapper .authorize');
      await eventually('the dialog', () => tab.evaluate<boolean>(`document.querySelector('.dialog-ux input') !== null`));
    };
    /** Sends an operation with "Try it out". Returns the status of its response. */
    const tryOut = async (tab: Tab, anchor: string, path?: string): Promise<string | undefined> => {
      await openReference(tab, anchor, path);
      await click(tab, '.is-open .try-out__btn');
      await click(tab, '.is-open .execute');
      return eventually('the response', async () => (await textOf(tab, '.live-responses-table .response > .response-col_status'))[0]);
    };

    it('has a field for a token, keeps the token, and sends it', () =>
      inTab({ ...DESKTOP, dark: false }, async (tab) => {
        await openDialog(tab);
        expect(await violations(tab)).toEqual([]);
        await type(tab, '#auth-bearer-value', await service.token('read:pets'));
        await click(tab, '.dialog-ux button[type=submit]');
        await eventually('the token', () => tab.evaluate<boolean>(`localStorage.getItem('authorized') !== null`));
        expect(await violations(tab)).toEqual([]);
        expect(await tryOut(tab, '#/Inventory/getInventory')).toMatch(/^200/);
        expect(await tryOut(tab, '#/store/getInventory', '/docs/classic')).toMatch(/^200/);
        expect(tab.reportedErrors()).toEqual([]);
      }));

    it.each([DISPLAYS[0], DISPLAYS[3]])('signs a person in with the code flow, on %s', (_, display) =>
      inTab(display, async (tab) => {
        const { username } = await createPerson(service);
        await openDialog(tab);
        await tab.evaluate(`{ const open = window.open; window.open = (...parts) => (window.signIn = open.call(window, ...parts)); }`);
        expect(await violations(tab)).toEqual([]);
        await click(tab, '.dialog-ux .modal-ux-content > div:last-child input[type=checkbox][id^="read:pets"]');
        await click(tab, '.dialog-ux .modal-ux-content > div:last-child .authorize');
        const inWindow = <T>(expression: string) => tab.evaluate<T>(`((document) => ${expression})(window.signIn.document)`);
        const heading = (text: string) =>
          eventually(text, () => inWindow<boolean>(`document.querySelector('h1')?.textContent.includes('${text}') === true`));
        const press = (action: string) => inWindow(`document.querySelector('button[value="${action}"]').click()`);
        await heading('Sign in');
        for (const [id, text] of Object.entries({ username, password: PASSWORD }))
          await inWindow(`{ document.getElementById('${id}').value = '${text}'; }`);
        await press('sign-in');
        await heading('Give access');
        await press('allow');
        await eventually('the token', () => tab.evaluate<boolean>(`localStorage.getItem('authorized')?.includes('access_token') === true`));
        expect(await tab.evaluate('window.signIn.closed')).toBe(true);
        expect(await tryOut(tab, '#/Users/getCurrentUser')).toMatch(/^200/);
        expect(tab.reportedErrors()).toEqual([]);
      }),
    );
  });

  describe('the page of events', () => {
    const state = (tab: Tab, id: string) =>
      tab.evaluate<readonly [boolean, boolean]>(`(() => {
        const panel = document.getElementById('${id}');
        const { top } = panel.getBoundingClientRect();
        return [panel.open, top >= 0 && top < innerHeight];
      })()`);

    it.each([
      ['opens the panel that its address names', '/docs/events#order.statusChanged', ''],
      [
        'opens the panel to which a link in the table of contents leads',
        '/docs/events',
        `document.querySelector('.contents a[href="#order.statusChanged"]').click()`,
      ],
      [
        'opens it again after it was closed',
        '/docs/events#order.statusChanged',
        `(() => {
          document.getElementById('order.statusChanged').open = false;
          document.querySelector('.contents a[href="#order.statusChanged"]').click();
        })()`,
      ],
    ])('%s', (_, path, script) =>
      inTab({ ...DESKTOP, dark: false }, async (tab) => {
        await tab.open(service.url + path);
        if (script !== '') await tab.evaluate(script);
        await eventually('the open panel in sight', async () => (await state(tab, 'order.statusChanged')).every(Boolean));
      }),
    );
  });

  it('the guides are searched by all their words', () =>
    inTab({ ...DESKTOP, dark: false }, async (tab) => {
      await tab.open(`${service.url}/docs/guides`);
      await tab.evaluate(`(() => {
        const field = document.querySelector('.contents input[type=search]');
        field.value = 'frozen price';
        field.dispatchEvent(new Event('input'));
      })()`);
      const found = () =>
        tab.evaluate<readonly string[]>(`[...document.querySelectorAll('.found a')].map(({ textContent }) => textContent)`);
      await eventually('sections of the contract', async () => (await found()).includes('13.5 Frozen price'));
      expect((await found())[0]).toBe('13.5 Frozen price');
      expect(tab.reportedErrors()).toEqual([]);
    }));

  it('the landing page copies the command of a step', () =>
    inTab({ ...DESKTOP, dark: false }, async (tab) => {
      await tab.open(`${service.url}/`);
      await tab.evaluate(`navigator.clipboard.writeText = async (text) => void (window.copied = text)`);
      await tab.evaluate(`document.querySelector('.steps button').click()`);
      await eventually('the copy', () =>
        tab.evaluate<boolean>(`window.copied === document.querySelector('.steps .copyable code').textContent`),
      );
    }));
});
