import { mayWatch } from './access.js';
import { send, RequestProblem, withQuery } from './api.js';
import { eventsParser, type ServerEvent } from './events-stream.js';
import { pause } from './pause.js';
import { mergeSamples, type Samples } from './samples.js';
import { endSession, session } from './session.js';
import type { AppendedEvent, ProcessSamples, ServiceState, StoreHealth } from './shapes.js';
import { createStore } from './store.js';
import { ALL, tenant } from './tenant.js';

export type LiveStatus = 'off' | 'connecting' | 'live' | 'reconnecting' | 'paused';

/** The events that came last, the newest first. */
export type Appended = {
  readonly events: readonly AppendedEvent[];
  /** Whether the service left events out because there were too many at once. */
  readonly hasGaps: boolean;
};

/** How many events the page keeps. */
const KEPT_EVENTS = 200;
const FIRST_DELAY = 1_000;
const LAST_DELAY = 30_000;
const NO_EVENTS: Appended = { events: [], hasGaps: false };

export const liveStatus = createStore<LiveStatus>('off');
export const serviceState = createStore<ServiceState | null>(null);
export const samples = createStore<Samples>(new Map());
/** What the audits of the log have found, for an auditor who is no operator: an operator has it in the state. */
export const integrity = createStore<StoreHealth['audit'] | null>(null);
export const appended = createStore<Appended>(NO_EVENTS);

const addEvents = (added: readonly AppendedEvent[], more: boolean): void => {
  const { events, hasGaps } = appended.get();
  // Each connection begins with the last events of the log, of which the page may have some.
  const known = new Set(events.map(({ id }) => id));
  const fresh = added.filter(({ id }) => !known.has(id)).toReversed();
  appended.set({ events: [...fresh, ...events].slice(0, KEPT_EVENTS), hasGaps: hasGaps || more });
};

const handle = ({ event, data }: ServerEvent): void => {
  const body = JSON.parse(data) as unknown;
  if (event === 'state') serviceState.set(body as ServiceState);
  if (event === 'integrity') integrity.set(body as StoreHealth['audit']);
  if (event === 'samples') samples.set(mergeSamples(samples.get(), (body as { readonly processes: readonly ProcessSamples[] }).processes));
  if (event === 'appended') {
    const { data: added, more } = body as { readonly data: readonly AppendedEvent[]; readonly more: boolean };
    addEvents(added, more);
  }
  if (event === 'end' && (body as { readonly reason: string }).reason === 'token') endSession('Your access token has ended.');
};

/** Reads the stream until it ends. */
const readStream = async (signal: AbortSignal): Promise<void> => {
  const path = withQuery('v1/ops/live', { tenant: tenant.get() === ALL ? ALL : undefined });
  const { body } = await send(path, { signal });
  if (body === null) return;
  liveStatus.set('live');
  const parse = eventsParser();
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  for (let piece = await reader.read(); !piece.done; piece = await reader.read()) parse(piece.value).forEach(handle);
};

/** Connects again and again, with growing delays while it fails, until it is aborted. */
const stayConnected = async (signal: AbortSignal): Promise<void> => {
  let delay = FIRST_DELAY;
  liveStatus.set('connecting');
  while (!signal.aborted && session.get().isActive) {
    const begun = performance.now();
    try {
      await readStream(signal);
    } catch (error) {
      // Anything else is a fault of this page, for example in a body that it does not expect: the next connection may do better.
      if (!signal.aborted && !(error instanceof RequestProblem)) console.error(error);
    }
    if (signal.aborted) return;
    liveStatus.set('reconnecting');
    delay = performance.now() - begun > LAST_DELAY ? FIRST_DELAY : Math.min(delay * 2, LAST_DELAY);
    // Random parts keep many pages from coming back at the same moment.
    await pause(delay * (0.5 + Math.random() / 2), signal);
  }
};

let current: AbortController | undefined;

const connect = (): void => {
  current?.abort();
  current = undefined;
  const { isActive, claims } = session.get();
  if (!isActive || claims === null || !mayWatch(claims)) return liveStatus.set('off');
  if (document.hidden) return liveStatus.set('paused');
  current = new AbortController();
  void stayConnected(current.signal);
};

const forgetAll = (): void => {
  serviceState.set(null);
  samples.set(new Map());
  integrity.set(null);
  appended.set(NO_EVENTS);
};

/** Keeps the live data of the page: connects with each token and tenant, and pauses while the tab is hidden. */
export const startLive = (): void => {
  session.subscribe(() => {
    if (session.get().claims === null) forgetAll();
    connect();
  });
  tenant.subscribe(() => {
    appended.set(NO_EVENTS);
    connect();
  });
  document.addEventListener('visibilitychange', connect);
  addEventListener('online', connect);
};
