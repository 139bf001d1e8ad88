import { spawn } from 'node:child_process';
import { accessSync, constants, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import type { Duplex } from 'node:stream';
import { eventually } from '../eventually.js';
import type { Missing } from './services/shared.js';

/** The size and the color scheme of a page. */
export type Display = { readonly width: number; readonly height: number; readonly dark: boolean };

/** A page in the browser. */
export type Tab = {
  /** Loads an address and waits for its `load` event. */
  open(url: string): Promise<void>;
  /** Evaluates an expression, and awaits its result if it is a promise. */
  evaluate<T>(expression: string): Promise<T>;
  /** Returns a screenshot of the whole page, as PNG. */
  screenshot(): Promise<Buffer>;
  /**
   * Console errors, uncaught errors and violations of the content security policy since the page was opened.
   */
  reportedErrors(): readonly string[];
  close(): Promise<void>;
};

export type Browser = { readonly newTab: (display: Display) => Promise<Tab>; readonly close: () => Promise<void> };

const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'chrome'];

const isExecutable = (file: string): boolean => {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
};

const findChromium = (): string | undefined => {
  const { CHROMIUM, PATH = '' } = process.env;
  if (CHROMIUM !== undefined) return CHROMIUM;
  return PATH.split(delimiter)
    .flatMap((folder) => NAMES.map((name) => join(folder, name)))
    .find(isExecutable);
};

/** With these arguments Chromium sends no background requests, and needs neither a display nor a sandbox. */
const argumentsFor = (profile: string): readonly string[] => [
  '--headless=new',
  '--remote-debugging-pipe',
  `--user-data-dir=${profile}`,
  '--no-sandbox',
  '--no-first-run',
  '--no-proxy-server',
  '--disable-gpu',
  '--disable-dev-shm-usage',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--hide-scrollbars',
];

type Params = Readonly<Record<string, unknown>>;
type DevToolsMessage = {
  readonly id?: number;
  readonly sessionId?: string;
  readonly method?: string;
  readonly params?: Params;
  readonly result?: unknown;
  readonly error?: { readonly message: string };
};
type Connection = {
  send<T>(method: string, params?: Params, sessionId?: string): Promise<T>;
  onEvent(listener: (event: DevToolsMessage) => void): void;
};

/** The DevTools protocol on two pipes: JSON messages, each ended by a zero byte. */
const connect = (requests: Duplex, replies: Duplex): Connection => {
  const waiting = new Map<number, { readonly resolve: (result: unknown) => void; readonly reject: (error: Error) => void }>();
  const listeners: ((event: DevToolsMessage) => void)[] = [];
  let lastId = 0;
  let rest = '';
  const receive = (reply: DevToolsMessage): void => {
    if (reply.id === undefined) return listeners.forEach((listener) => listener(reply));
    const request = waiting.get(reply.id);
    waiting.delete(reply.id);
    if (reply.error) request?.reject(new Error(reply.error.message));
    else request?.resolve(reply.result);
  };
  replies.setEncoding('utf8').on('data', (text: string) => {
    const messages = (rest + text).split('\0');
    rest = messages.pop() ?? '';
    for (const message of messages) receive(JSON.parse(message) as DevToolsMessage);
  });
  replies.on('close', () => waiting.forEach(({ reject }) => reject(new Error('Chromium has ended'))));
  requests.on('error', () => undefined);
  return {
    send: <T>(method: string, params: Params = {}, sessionId?: string) =>
      new Promise<T>((resolve, reject) => {
        const id = ++lastId;
        waiting.set(id, { resolve: (result) => resolve(result as T), reject });
        requests.write(`${JSON.stringify({ id, method, params, ...(sessionId && { sessionId }) })}\0`);
      }),
    onEvent: (listener) => void listeners.push(listener),
  };
};

/**
 * Starts Chromium: the program that CHROMIUM names, or else the first of NAMES that a folder in PATH contains. Without one,
 * returns the reason, also if CI=true is set.
 */
export const startBrowser = async (): Promise<Browser | Missing> => {
  const program = findChromium();
  if (program === undefined) return { missing: 'Chromium is not installed; set CHROMIUM to its path' };
  const profile = mkdtempSync(join(tmpdir(), 'petstore-browser-'));
  const child = spawn(program, argumentsFor(profile), { stdio: ['ignore', 'ignore', 'ignore', 'pipe', 'pipe'] });
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()));
  const connection = connect(child.stdio[3] as Duplex, child.stdio[4] as Duplex);
  return {
    newTab: (display) => openTab(connection, display),
    async close() {
      await connection.send('Browser.close').catch(() => undefined);
      await ended;
      rmSync(profile, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
    },
  };
};

const openTab = async (connection: Connection, { width, height, dark }: Display): Promise<Tab> => {
  const { targetId } = await connection.send<{ readonly targetId: string }>('Target.createTarget', { url: 'about:blank' });
  const { sessionId } = await connection.send<{ readonly sessionId: string }>('Target.attachToTarget', { targetId, flatten: true });
  const send = <T = unknown>(method: string, params?: Params): Promise<T> => connection.send<T>(method, params, sessionId);
  const errors: string[] = [];
  let loaded = (): void => undefined;
  connection.onEvent((event) => {
    if (event.sessionId !== sessionId) return;
    if (event.method === 'Page.loadEventFired') loaded();
    const error = reportedErrorIn(event);
    if (error !== null) errors.push(error);
  });
  for (const domain of ['Page', 'Runtime', 'Log']) await send(`${domain}.enable`);
  const load = async (url: string): Promise<void> => {
    const finished = new Promise<void>((resolve) => (loaded = resolve));
    const { errorText } = await send<{ readonly errorText?: string }>('Page.navigate', { url });
    if (errorText !== undefined) throw new Error(`${url}: ${errorText}`);
    await finished;
  };
  const mobile = width < 600;
  await send('Emulation.setDeviceMetricsOverride', { width, height, deviceScaleFactor: 1, mobile });
  await send('Emulation.setEmulatedMedia', { features: [{ name: 'prefers-color-scheme', value: dark ? 'dark' : 'light' }] });
  return {
    async open(url) {
      // Chromium does not reload a page when only the anchor changes, so this loads another page first.
      await load('about:blank');
      errors.length = 0;
      await load(url);
    },
    evaluate: (expression) => evaluate(send, expression),
    async screenshot() {
      const { data } = await send<{ readonly data: string }>('Page.captureScreenshot', { captureBeyondViewport: true });
      return Buffer.from(data, 'base64');
    },
    reportedErrors: () => [...errors],
    close: async () => void (await connection.send('Target.closeTarget', { targetId })),
  };
};

type EvaluationResult<T> = {
  readonly result: { readonly value: T };
  readonly exceptionDetails?: { readonly text: string; readonly exception?: { readonly description?: string } };
};

const evaluate = async <T>(send: <R>(method: string, params?: Params) => Promise<R>, expression: string): Promise<T> => {
  const { result, exceptionDetails } = await send<EvaluationResult<T>>('Runtime.evaluate', {
    expression,
    awaitPromise: true,
    returnByValue: true,
    // Without a gesture, Chromium blocks windows that a click opens.
    userGesture: true,
  });
  if (exceptionDetails) throw new Error(exceptionDetails.exception?.description ?? exceptionDetails.text);
  return result.value;
};

/** Returns the error or policy violation that an event of the page reports, or null. */
const reportedErrorIn = ({ method, params = {} }: DevToolsMessage): string | null => {
  if (method === 'Runtime.exceptionThrown' || (method === 'Runtime.consoleAPICalled' && params['type'] === 'error'))
    return JSON.stringify(params).slice(0, 1_000);
  const entry = params['entry'] as { readonly level: string; readonly text: string; readonly url?: string } | undefined;
  return method === 'Log.entryAdded' && entry?.level === 'error' ? `${entry.text} ${entry.url ?? ''}` : null;
};

/** Clicks the button with this text. */
export const press = (tab: Tab, text: string): Promise<unknown> =>
  tab.evaluate(`[...document.querySelectorAll('button')].find((button) => button.textContent === ${JSON.stringify(text)}).click()`);

/** Types a text into the field with this id. */
export const fill = (tab: Tab, id: string, text: string): Promise<unknown> =>
  tab.evaluate(`document.getElementById('${id}').value = ${JSON.stringify(text)}`);

/** Waits until a page is loaded whose heading contains this text. */
export const waitForHeading = (tab: Tab, text: string): Promise<unknown> =>
  eventually(`the page ${text}`, () =>
    tab.evaluate<boolean>(
      `document.readyState === 'complete' && document.querySelector('h1')?.textContent.includes(${JSON.stringify(text)}) === true`,
    ),
  );
