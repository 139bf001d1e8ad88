import { randomUUID } from 'node:crypto';
import type { OperationRecord } from '../../apps/api/http/operation.js';
import { projections } from '../../libs/projections/projections.js';
import { eventually } from '../eventually.js';
import type { HttpResponse, RequestOptions } from '../servers/client.js';
import type { TestPetstore } from '../servers/test-petstore.js';
import { ALL_SCOPES, USER_SCOPES } from './callers.js';
import { addressOf, ALL_OPERATIONS, contentOf, exampleOf } from './example-requests.js';
import { MAKERS, waitForPayment, type Resource, type SendRequest, type MakerContext } from './resources.js';
import type { Pet } from './shop.js';

/** A tenant that runs the script (`runScript`). */
export type ScriptTenant = {
  readonly service: TestPetstore;
  /** Undefined for the shared pool. */
  readonly tenant: string | undefined;
  /** Returns the client address that the tenant's nth request sends in X-Forwarded-For. */
  readonly address: (nth: number) => string;
  readonly receiver: string;
  /** Waits for the turn of this tenant, and then sends a request of the script. */
  readonly inTurn: (work: () => Promise<HttpResponse>) => Promise<HttpResponse>;
};

/** A response to a request of the script. */
export type RecordedResponse = Pick<HttpResponse, 'status' | 'headers' | 'text'> & { readonly step: string };

/** The options in which a step differs from the example request of its operation. */
type Variant = RequestOptions & { readonly query?: string };

const STRANGE_TENANT = '0190a000-0000-7000-8000-0000000000ff';
/** An integer id of no pet and no order, because no tenant has so many. */
const UNKNOWN_NUMBER = '999999';
const YEAR = 365 * 86_400;

/** Lists with filters and pages. The counts in their responses would differ if they included data of other tenants. */
const LISTS = [
  '/v1/pets?status=ALL&limit=3&page=2',
  '/v1/pets?species=DOG&limit=1',
  '/v1/orders?limit=2&page=2',
  '/v1/orders?status=approved',
  '/v1/users?limit=2&page=2',
  '/v1/webhooks',
  '/v1/inventories',
  '/api/v3/pet/findByStatus?status=available,pending,sold',
];

/** Runs the script as one tenant: sends many valid and invalid requests to each operation. Returns the responses. */
export const runScript = async (by: ScriptTenant): Promise<readonly RecordedResponse[]> => {
  const recorded: RecordedResponse[] = [];
  const bound = by.tenant === undefined ? {} : { tenant: by.tenant };
  const names = new Map<string, string>();
  // Random names are replaced by numbered ones, so that every run of the script sends the same names.
  const named = (text: string): string =>
    text.replaceAll(/ann-[\da-f-]{36}/g, (name) => {
      if (!names.has(name)) names.set(name, `ann-${names.size}`);
      return names.get(name) ?? '';
    });
  const send = async (step: string, method: string, path: string, { body, headers, ...options }: RequestOptions): Promise<HttpResponse> => {
    const response = await by.inTurn(() =>
      by.service.request(method, named(path), {
        ...options,
        headers: { 'x-request-id': `request-${recorded.length}`, 'x-forwarded-for': by.address(recorded.length), ...headers },
        ...(body !== undefined && { body: JSON.parse(named(JSON.stringify(body))) as unknown }),
      }),
    );
    recorded.push({ step, status: response.status, headers: response.headers, text: response.text });
    if (response.status === 202) await waitForWork(by.service, staff, response);
    return response;
  };

  let staff = await by.service.token(ALL_SCOPES, { ...bound, expiresIn: YEAR });
  const request = (async (method, path, options = {}) =>
    method === 'GET'
      ? by.service.request(method, path, { token: staff, ...options })
      : send('a resource is made', method, path, { token: staff, ...options })) as SendRequest;
  const context: MakerContext = { request, receiver: by.receiver, owner: 'ann' };
  const subject = (await MAKERS.user(context)).id;
  const tokenOf = (scopes: string, of: string) => by.service.token(scopes, { ...bound, subject: of, expiresIn: YEAR });
  staff = await tokenOf(ALL_SCOPES, subject);
  const user = await tokenOf(USER_SCOPES, subject);

  const runOperation = async (operation: OperationRecord): Promise<void> => {
    const { id, method, idempotent } = operation;
    const example = exampleOf(operation);
    const { on } = example;
    const resource = on ? await MAKERS[on](context) : { id: '' };
    const unknown = {
      ...(Object.fromEntries(Object.keys(resource).map((name) => [name, randomUUID()])) as Resource),
      ...(resource.number !== undefined && { number: UNKNOWN_NUMBER }),
    };
    const token = resource.userId === undefined ? staff : await tokenOf(ALL_SCOPES, resource.userId);
    const step = (name: string, { query = '', ...options }: Variant, at = resource) => {
      const address = addressOf(operation, at);
      const path = address + (address.includes('?') ? query.replace('?', '&') : query);
      return send(`${id}: ${name}`, method, path, { token, ...contentOf(example, at), ...options });
    };

    if (on) await step('an unknown resource', {}, unknown);
    await step('a strange parameter', { query: '?strange=1' });
    await step('another tenant', { tenant: STRANGE_TENANT });
    if (operation.conditional) await step('a stale tag', { ifMatch: '"0.0"' });
    const key = idempotent ? { idempotencyKey: `key-of-${id}` } : {};
    const { headers } = await step('success', key);
    if (id === 'createOrderPayment') await waitForPayment(context, resource);
    if (RELEASING.has(id)) await waitForPet(by.service, staff, resource);
    await step('once more', { ...key, ...(headers.etag !== undefined && { ifNoneMatch: headers.etag }) });
    if (idempotent) await step('once more without the key', {});
    await step('another body', { ...key, body: { strange: 1 } });
    await step('no body', { ...key, body: undefined });
    if (method === 'GET') await step('no token', { headers: { authorization: [] }, tenant: by.tenant });
    if (method === 'GET') await step('a user', { token: user });
  };

  for (const operation of ALL_OPERATIONS) {
    await runOperation(operation);
    if (operation.method !== 'GET' && operation.method !== 'QUERY')
      for (const path of LISTS) await send(`${path} after ${operation.id}`, 'GET', path, { token: staff });
  }
  return recorded;
};

type Work = { readonly status: string };

const revisionOf = ({ headers }: HttpResponse): number => Number(headers.etag?.replaceAll('"', ''));

/**
 * Waits for the work that a 202 response has started, so that later responses do not depend on its speed. If the work is
 * one delivery, the 202 response has its revision. The work is done when the delivery has a later revision.
 */
const waitForWork = async (service: TestPetstore, token: string, accepted: HttpResponse): Promise<unknown> => {
  const path = (accepted.headers.location ?? '').slice(service.url.length);
  const isSent = (accepted.json as Work).status === 'pending';
  return eventually('the work to be done', async () => {
    const found = await service.request<Work>('GET', path, { token });
    const isDone = ['delivered', 'done'].includes(found.json.status);
    return isDone && (!isSent || revisionOf(found) > revisionOf(accepted));
  });
};

/** Operations after which a domain process releases the pet. */
const RELEASING: ReadonlySet<string> = new Set([
  'deleteOrder',
  'classicDeleteOrder',
  'rejectAdoption',
  'withdrawAdoption',
  'deleteAdoption',
]);

const waitForPet = async (service: TestPetstore, token: string, { petId }: Resource): Promise<unknown> =>
  eventually('the pet to be released', async () => {
    const { json } = await service.request<Pet>('GET', `/v1/pets/${petId}`, { token });
    return json.status === 'AVAILABLE';
  });

/** The stream categories that have a read model. A Consistency-Token has at most ten categories, so it has only these. */
const SHOWN: ReadonlySet<string> = new Set(projections.map(({ category }) => category));

/**
 * Returns a client whose reads show all its writes. In the distributed profile, read models show a write with a delay.
 * So each read sends a Consistency-Token with the positions of all earlier writes (contract 10.4).
 */
export const readingOwnWrites = (service: TestPetstore): TestPetstore => {
  const positions = new Map<string, number>();
  return {
    ...service,
    async request<T>(method: string, path: string, { headers, ...options }: RequestOptions = {}): Promise<HttpResponse<T>> {
      const token = [...positions].map(([category, position]) => `${category}=${position}`).join('.');
      const reads = method === 'GET' && token !== '';
      const response = await service.request<T>(method, path, {
        ...options,
        headers: { ...headers, ...(reads && { 'consistency-token': token }) },
      });
      for (const part of String(response.headers['consistency-token'] ?? '').split('.')) {
        const [category = '', position] = part.split('=');
        if (position !== undefined && SHOWN.has(category))
          positions.set(category, Math.max(Number(position), positions.get(category) ?? 0));
      }
      return response;
    },
  };
};

/** Access tokens. They contain the second in which they were made, so two tokens for one subject may be equal or differ. */
const TOKENS = /eyJ[\w-]+\.[\w-]+\.[\w-]+/g;

/** The patterns of random values. The kind is part of the label that replaces a value. */
const RANDOM: readonly (readonly [kind: string, pattern: RegExp])[] = [
  ['id', /[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}|chatcmpl_[a-z\d]+/g],
  ['id', /(?<="id":)\d{16}/g],
  ['secret', /whsec_[\w+/=]+/g],
  ['key', /whpk_[\w+/=]+|(?<="(?:x|kid)":")[\w-]{43}/g],
  ['token', TOKENS],
  ['manage token', /manage_[\w-]{43}/g],
];

/** Times, durations, and content lengths. A content length depends on the number of digits in a duration. */
const TIMES = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z|(?<="(?:durationMilliseconds|created)":)\d+|(?<="content-length":")\d+/g;

/** The fields of a delivery that change when its message is sent. */
const PROGRESS = /(?<="status":)"(?:pending|delivered)"|(?<="nextAttemptAt":)(?:null|"[^"]*")|(?<="attempts":)\[.*\]/g;

/**
 * Replaces the values that depend on timing in the distributed profile. In that profile, a worker may send the message of
 * a webhook test before the api responds. The response then shows the delivery as `delivered`.
 */
const withoutTiming = (step: string, response: string): string => {
  const settled = step.startsWith('testWebhook') ? response.replaceAll(PROGRESS, '{progress}') : response;
  return settled.replaceAll(TIMES, '{time}').replaceAll(TOKENS, '{token}');
};

/**
 * Returns the responses as text, without the values that differ in every run. Each random value is replaced by a numbered
 * label, and equal values by the same label. A manual clock (`hasClock`) shows the same times in every run. Without it,
 * times are replaced, too. Every other byte is kept.
 */
export const normalized = (recorded: readonly RecordedResponse[], url: string, hasClock: boolean): readonly string[] => {
  const labels = new Map<string, string>();
  const counts = new Map<string, number>();
  const labelOf = (kind: string, value: string): string => {
    if (!labels.has(value)) {
      const count = (counts.get(kind) ?? 0) + 1;
      counts.set(kind, count);
      labels.set(value, `{${kind} ${count}}`);
    }
    return labels.get(value) ?? '';
  };
  return recorded.map(({ step, status, headers, text }) => {
    // `date` is left out, because it shows the time of the machine, not of the service's clock.
    const { date: _, 'consistency-token': _positions, ...stable } = headers;
    // The entity tag of a list is a digest of its body. The body contains random values, so a label replaces the tag.
    const isDigest = stable.etag !== undefined && !/^"[\d.]+"$/.test(stable.etag);
    const shown = { ...stable, ...(isDigest && { etag: labelOf('digest', stable.etag ?? '') }) };
    const whole = `${step}: ${status} ${JSON.stringify(shown)} ${text}`.replaceAll(url, '{store}');
    const timed = hasClock ? whole : withoutTiming(step, whole);
    return RANDOM.reduce((before, [kind, pattern]) => before.replaceAll(pattern, (value) => labelOf(kind, value)), timed);
  });
};
