import type { ComponentChildren } from 'preact';
import { endOf, problemIn } from './api.js';
import { pause } from './pause.js';
import { placeOf } from './place.js';
import { authorization, session } from './session.js';
import type { Problem } from './shapes.js';
import { createStore } from './store.js';
import { tenantHeader, tenantOfRequest } from './tenant.js';
import { timeOrderedId } from './time-ordered-id.js';

/** A request that changes something. */
export type ActionRequest = {
  readonly method: 'POST' | 'PUT' | 'DELETE';
  /** Below the root of the service, such as `v1/ops/keys/rotation`. */
  readonly path: string;
  readonly body?: Readonly<Record<string, unknown>>;
  /** The tenant whose resources it changes; absent for the chosen one. */
  readonly tenant?: string;
  /** The entity tag of what the operator saw: the service refuses if somebody has changed it since. */
  readonly ifMatch?: string;
};

/** What an operator may do: what the page says before, and what it sends after one confirmation. */
export type Action = {
  /** What is done, as a heading: `Pause pets`. */
  readonly title: string;
  /** The word on the button that does it: `Pause`. */
  readonly verb: string;
  /** What it will do. */
  readonly does: ComponentChildren;
  /** What stops, ends or is lost with it; absent if nothing does. */
  readonly stops?: ComponentChildren;
  /** How it is undone, or that it cannot be. */
  readonly undo: ComponentChildren;
  /** Whether it cannot be undone. */
  readonly isFinal?: boolean;
  /** Whether the service demands a reason, and where the request has it (contract 43.1, 34.1). Absent if it keeps none. */
  readonly reason?: { readonly in: 'body' | 'header'; readonly isRequired?: boolean };
  /** Fields of its form. */
  readonly fields?: ComponentChildren;
  /** Returns the request, from what was typed into the fields. */
  readonly requestOf: (form: FormData) => ActionRequest;
  /** What has become of it, in a word, instead of `Done`: a retry may end with what is still parked. */
  readonly done?: string;
  /** What the answer says, for a person. */
  readonly answerOf?: (answer: unknown) => ComponentChildren;
  /** Whether 404 is what its repetition answers after an answer was lost: what it removes is not there any more. */
  readonly isGoneAfter?: boolean;
  /** Whether the answer has a secret: the page forgets the answer once it does not show it any more. */
  readonly hasSecret?: boolean;
};

/**
 * What the page knows of an action that it has sent. `sending`: no answer has come yet. `done` and `refused`: the service has answered.
 * `unknown`: no answer came, so it may have happened. Only asking again with the same key shows it.
 */
export type Sent = {
  /** The id of the request, and its Idempotency-Key. All its repetitions have both. */
  readonly id: string;
  readonly action: Action;
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly tenant: string;
  readonly state: 'sending' | 'done' | 'refused' | 'unknown';
  /** How often it was sent. */
  readonly attempts: number;
  readonly answer?: unknown;
  readonly problem?: Problem;
};

/** What the page has sent, the newest first. It is in memory only, and ends with the page or with another person. */
export const sentActions = createStore<readonly Sent[]>([]);
/** The number of actions that the service has answered: what is read regularly is then read at once, also after a refusal. */
export const answeredActions = createStore(0);

/**
 * The number of reads that an answer has caused and that have not ended. Until then the page shows a state of before, on which
 * nobody should act: the service would say that somebody else was faster.
 */
export const outdatedReads = createStore(0);

/** Milliseconds to wait for an answer: some actions wait 10 s for other processes. */
const WAIT = 30_000;
/** Milliseconds between attempts. A service that starts again is back within this. */
const DELAYS = [1_000, 2_000, 4_000, 8_000, 16_000] as const;
/** No answer of the operation itself: a proxy or a service that stops may have sent it on before. */
const WITHOUT_ANSWER = new Set([0, 408, 429, 500, 502, 503, 504]);
const NO_ANSWER: Problem = {
  status: 0,
  title: 'No answer came',
  detail: 'The action may have happened or not. Asking again has the same key, so the service does not do it twice.',
};

/** The request of each action whose answer is not known, so that it can be asked again. Requests may have secrets, so no store has them. */
const unanswered = new Map<string, RequestInit & { readonly path: string }>();

const change = (id: string, changes: Partial<Sent>): Sent => {
  sentActions.set(sentActions.get().map((sent) => (sent.id === id ? { ...sent, ...changes } : sent)));
  return sentActions.get().find((sent) => sent.id === id) as Sent;
};

type Answer = { readonly status: number; readonly body?: unknown; readonly problem?: Problem };

const ask = async ({ path, ...init }: RequestInit & { readonly path: string }): Promise<Answer> => {
  const { version } = session.get();
  const headers = { ...authorization(), ...(init.headers as Readonly<Record<string, string>>) };
  try {
    const response = await fetch(`${placeOf().root}${path}`, { ...init, headers, cache: 'no-store', signal: AbortSignal.timeout(WAIT) });
    if (response.ok) return { status: response.status, body: response.status === 204 ? undefined : await response.json() };
    const problem = await problemIn(response);
    if (response.status === 401) endOf(problem, version);
    return { status: response.status, problem };
  } catch {
    return { status: 0, problem: NO_ANSWER };
  }
};

const settle = (id: string, changes: Partial<Sent>): Sent => {
  if (changes.state !== 'unknown') unanswered.delete(id);
  const sent = change(id, changes);
  if (changes.state !== 'unknown') answeredActions.set(answeredActions.get() + 1);
  return sent;
};

/** Asks until the service has answered, or for about half a minute. */
const askUntilAnswered = async (id: string): Promise<Sent> => {
  const request = unanswered.get(id);
  for (const delay of [...DELAYS, null]) {
    const before = sentActions.get().find((sent) => sent.id === id);
    // Another person has signed in, who must not act with what this one has begun.
    if (!request || !before) throw new Error('the action is forgotten');
    const { action, attempts } = change(id, { attempts: before.attempts + 1 });
    const { status, body, problem } = await ask(request);
    if (problem === undefined) return settle(id, { state: 'done', answer: body });
    if (attempts > 1 && status === 404 && action.isGoneAfter === true) return settle(id, { state: 'done' });
    // The first attempt may have happened although this one was refused for want of a valid token.
    if (status === 401) return settle(id, { state: attempts > 1 ? 'unknown' : 'refused', problem });
    if (!WITHOUT_ANSWER.has(status)) return settle(id, { state: 'refused', problem });
    change(id, { problem });
    if (delay !== null) await pause(delay);
  }
  return settle(id, { state: 'unknown' });
};

/** Sends an action once, and again with the same key while no answer comes. Returns what is known at the end. */
export const perform = (action: Action, form: FormData): { readonly id: string; readonly ended: Promise<Sent> } => {
  const { method, path, body, tenant, ifMatch } = action.requestOf(form);
  const typed = form.get('reason');
  const reason = typeof typed === 'string' && typed.trim() !== '' ? typed.trim() : undefined;
  const id = timeOrderedId(Date.now());
  const inBody = action.reason?.in === 'body' ? { ...body, ...(reason !== undefined && { reason }) } : body;
  unanswered.set(id, {
    path,
    method,
    headers: {
      ...tenantHeader(tenant),
      'x-request-id': id,
      'idempotency-key': id,
      ...(ifMatch !== undefined && { 'if-match': ifMatch }),
      ...(action.reason?.in === 'header' && reason !== undefined && { 'change-reason': encodeURIComponent(reason) }),
      ...(inBody !== undefined && { 'content-type': 'application/json' }),
    },
    ...(inBody !== undefined && { body: JSON.stringify(inBody) }),
  });
  const sent: Sent = { id, action, at: Date.now(), tenant: tenantOfRequest(tenant), state: 'sending', attempts: 0 };
  sentActions.set([sent, ...sentActions.get()]);
  return { id, ended: askUntilAnswered(id) };
};

/** Asks the service again what has become of an action without an answer. */
export const askAgain = (id: string): Promise<Sent> => {
  change(id, { state: 'sending' });
  return askUntilAnswered(id);
};

/** Forgets the answer of an action, because it has a secret. What is still sent has none yet, and keeps what will come. */
export const forgetAnswer = (id: string): void =>
  sentActions.set(sentActions.get().map((sent) => (sent.id === id && sent.state === 'done' ? { ...sent, answer: undefined } : sent)));

/** Whether something was sent whose outcome is not known: closing the page would lose it. */
export const hasUnanswered = (): boolean => sentActions.get().some(({ state }) => state === 'sending' || state === 'unknown');

/** Forgets what another person has sent, and warns before the page closes while an answer is missing. */
export const startActing = (): void => {
  session.subscribe(() => {
    if (session.get().claims !== null) return;
    unanswered.clear();
    sentActions.set([]);
  });
  addEventListener('beforeunload', (event) => {
    if (hasUnanswered()) event.preventDefault();
  });
};
