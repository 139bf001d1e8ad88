import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { PROBLEMS } from '../../apps/api/http/problems/problem-kinds.js';
import { OPERATIONS } from '../../apps/api/operations.js';
import { eventually } from '../eventually.js';
import { startBrowser, type Display, type Tab } from '../servers/browser.js';
import { describeIfAvailable } from '../servers/services/describe-if-available.js';
import { startTestPetstore, type TestPetstore } from '../servers/test-petstore.js';

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
const PLAIN_PAGES = ['/', '/docs/events', '/errors', ...ERROR_PAGES, '/no-such-page'];

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
    await work(tab).finally(() => tab.close());
  };
  const openReference = async (tab: Tab, anchor = ''): Promise<void> => {
    await tab.open(`${service.url}/docs${anchor}`);
    const shown = anchor === '' ? '.opblock' : '.opblock.is-open .responses-table';
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
  });

  describe('the reference', () => {
    const textOf = (tab: Tab, selector: string) =>
      tab.evaluate<readonly string[]>(`[...document.querySelectorAll('${selector}')].map(({ innerText }) => innerText.trim())`);
    /** Sets a value and sends the input event, because React ignores a value without the event. */
    const type = (tab: Tab, selector: string, text: string) =>
      tab.evaluate(`(() => {
        const input = document.querySelector('${selector}');
        Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value').set.call(input, '${text}');
        input.dispatchEvent(new Event('input', { bubbles: true }));
      })()`);

    /** Returns a selector that matches only elements of operations, and none of the section about webhooks. */
    const ofOperations = (selector: string) => `${selector}:not(.webhooks *)`;

    it('shows the summary of every operation on a phone', () =>
      inTab({ ...PHONE, dark: false }, async (tab) => {
        await openReference(tab);
        const summaries = await textOf(tab, ofOperations('.opblock-summary-description'));
        expect(summaries.toSorted()).toEqual(
          Object.values(OPERATIONS)
            .map(({ summary }) => summary)
            .sort(),
        );
      }));

    it('has the errors of an operation as one table', () =>
      inTab({ ...DESKTOP, dark: false }, async (tab) => {
        await openReference(tab, '#/Pets/createPet');
        expect(await textOf(tab, '.is-open .responses-table > tbody > tr > .response-col_status')).toEqual(['201', 'Errors']);
        expect(await tab.evaluate(`document.querySelectorAll('.is-open [data-code="Errors"] table tbody tr').length`)).toBeGreaterThan(8);
      }));

    it('finds operations by words in any order', () =>
      inTab({ ...DESKTOP, dark: false }, async (tab) => {
        await openReference(tab);
        await type(tab, '.operation-filter-input', 'secret rotate');
        const found = () => textOf(tab, ofOperations('.opblock-summary-path'));
        await eventually('one operation', async () => (await found()).length === 1);
        expect((await found())[0]?.replaceAll('\u200b', '')).toBe('/v1/webhooks/{id}/secret');
      }));

    it('has one field for a token, keeps the token, and sends it', () =>
      inTab({ ...DESKTOP, dark: false }, async (tab) => {
        const click = (selector: string) => tab.evaluate(`document.querySelector('${selector}').click()`);
        await openReference(tab);
        await click('.auth-wrapper .authorize');
        await eventually('the dialog', () => tab.evaluate<boolean>(`document.querySelector('.dialog-ux input') !== null`));
        expect(await tab.evaluate(`document.querySelectorAll('.dialog-ux input').length`)).toBe(1);
        await type(tab, '.dialog-ux input', await service.token('read:pets'));
        await click('.dialog-ux button[type=submit]');
        await eventually('the token', () => tab.evaluate<boolean>(`localStorage.getItem('authorized') !== null`));
        expect(await violations(tab)).toEqual([]);
        await openReference(tab, '#/Inventory/getInventory');
        await click('.is-open .try-out__btn');
        await click('.is-open .execute');
        const status = await eventually(
          'the response',
          async () => (await textOf(tab, '.live-responses-table .response > .response-col_status'))[0],
        );
        expect(status).toMatch(/^200/);
        expect(tab.reportedErrors()).toEqual([]);
      }));
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

  it('the landing page copies its token command', () =>
    inTab({ ...DESKTOP, dark: false }, async (tab) => {
      await tab.open(`${service.url}/`);
      await tab.evaluate(`navigator.clipboard.writeText = async (text) => void (window.copied = text)`);
      await tab.evaluate(`document.querySelector('.steps button').click()`);
      await eventually('the command', () => tab.evaluate<boolean>(`window.copied?.startsWith('TOKEN=$(') === true`));
    }));
});
