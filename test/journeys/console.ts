import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { eventually } from '../eventually.js';
import type { Display, Tab } from '../servers/browser.js';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** The folder in which screenshots are kept, to look at. Without it, none are taken. */
const SHOTS = process.env['SHOTS'];

/** A tab with the console. */
export type ConsoleTab = {
  readonly tab: Tab;
  /** Loads the console, whose page says how to sign in. */
  open(fragment?: string): Promise<void>;
  /** Signs in with a token. */
  signIn(token: string): Promise<void>;
  /** Goes to a page of the console without loading it again: a reload would forget the token. */
  go(fragment: string, heading: string): Promise<void>;
  /** Waits until the page shows a text. */
  sees(text: string | RegExp): Promise<void>;
  /** The text of the whole page, as a person reads it. */
  text(): Promise<string>;
  /** Clicks the first link or button with this text. */
  click(text: string): Promise<void>;
  /** Clicks the button with this text. */
  press(text: string): Promise<void>;
  /** Presses the button that screen readers know by this name. */
  pressNamed(name: string): Promise<void>;
  /** Gives a reason in the dialog that asks about an action, and presses the button that does it. */
  act(verb: string, reason?: string): Promise<void>;
  /** Chooses files for the field with this id, as a person does. `files` are texts by the names of the files. */
  choose(id: string, files: Readonly<Record<string, string>>): Promise<void>;
  /** Types a text into the field with this id, and sends its form. */
  type(id: string, text: string): Promise<void>;
  /** The rules that axe reports as broken. */
  violations(): Promise<readonly string[]>;
  /** Whether the page is wider than the screen. */
  isTooWide(): Promise<boolean>;
  /** Keeps a screenshot, if SHOTS names a folder. */
  shoot(name: string): Promise<void>;
};

export const openConsole = (tab: Tab, url: string, { width, dark }: Display): ConsoleTab => {
  const text = (): Promise<string> => tab.evaluate<string>('document.body.innerText');
  const sees = async (wanted: string | RegExp): Promise<void> => {
    const matches = (shown: string): boolean => (typeof wanted === 'string' ? shown.includes(wanted) : wanted.test(shown));
    await eventually(`the text ${String(wanted)}`, async () => {
      const shown = await text();
      if (!matches(shown)) throw new Error(`the page says: ${shown}`);
      return true;
    });
  };
  const waitForHeading = (heading: string) =>
    eventually(`the page ${heading}`, () =>
      tab.evaluate<boolean>(`document.querySelector('h1')?.textContent.includes(${JSON.stringify(heading)}) === true`),
    );
  const type = async (id: string, value: string): Promise<void> => {
    await tab.evaluate(`document.getElementById('${id}').value = ${JSON.stringify(value)}`);
    await tab.evaluate(`document.getElementById('${id}').form.requestSubmit()`);
  };
  return {
    tab,
    text,
    sees,
    type,
    async open(fragment = '') {
      await tab.open(`${url}/ops${fragment}`);
      await eventually('the script of the console', () => tab.evaluate<boolean>(`document.querySelector('h1') !== null`));
    },
    async signIn(token) {
      await type('token', token);
      await eventually('the navigation', () => tab.evaluate<boolean>(`document.querySelector('.console-bar') !== null`));
    },
    async go(fragment, heading) {
      await tab.evaluate(`{ location.hash = ${JSON.stringify(fragment)}; }`);
      await waitForHeading(heading);
    },
    async click(label) {
      const found = `[...document.querySelectorAll('main a, main button')].find((one) => one.innerText.trim() === ${JSON.stringify(label)})`;
      await eventually(`the link ${label}`, () => tab.evaluate<boolean>(`${found} !== undefined`));
      await tab.evaluate(`${found}.click()`);
    },
    async press(label) {
      const found = `[...document.querySelectorAll('button')].find((one) => one.innerText.trim() === ${JSON.stringify(label)} && !one.disabled)`;
      await eventually(`the button ${label}`, () => tab.evaluate<boolean>(`${found} !== undefined`));
      await tab.evaluate(`{ ${found}.click(); }`);
    },
    async pressNamed(name) {
      const found = `document.querySelector('button[aria-label=${JSON.stringify(name)}]:enabled')`;
      await eventually(`the button ${name}`, () => tab.evaluate<boolean>(`${found} !== null`));
      await tab.evaluate(`${found}.click()`);
      await eventually('the question', () => tab.evaluate<boolean>(`document.querySelector('dialog[open]') !== null`));
    },
    async act(verb, reason) {
      if (reason !== undefined) await tab.evaluate(`document.querySelector('dialog [name="reason"]').value = ${JSON.stringify(reason)}`);
      const found = `[...document.querySelectorAll('dialog button')].find((one) => one.innerText.trim() === ${JSON.stringify(verb)})`;
      await eventually(`the button ${verb}`, () => tab.evaluate<boolean>(`${found} !== undefined`));
      await tab.evaluate(`${found}.click()`);
    },
    async choose(id, files) {
      await eventually(`the field ${id}`, () => tab.evaluate<boolean>(`document.getElementById('${id}') !== null`));
      await tab.evaluate(`{
        const chosen = new DataTransfer();
        for (const [name, content] of Object.entries(${JSON.stringify(files)})) chosen.items.add(new File([content], name));
        const field = document.getElementById('${id}');
        field.files = chosen.files;
        field.dispatchEvent(new Event('input', { bubbles: true }));
      }`);
    },
    async violations() {
      if (!(await tab.evaluate<boolean>('window.axe !== undefined'))) await tab.evaluate(AXE);
      return tab.evaluate<readonly string[]>(
        `axe.run().then(({ violations }) => violations.flatMap(({ id, nodes }) => nodes.map(({ target }) => id + ' ' + target.join(' '))))`,
      );
    },
    isTooWide: () => tab.evaluate<boolean>('document.documentElement.scrollWidth > document.documentElement.clientWidth'),
    async shoot(name) {
      if (SHOTS !== undefined) writeFileSync(`${SHOTS}/${name}-${width}-${dark ? 'dark' : 'light'}.png`, await tab.screenshot());
    },
  };
};
