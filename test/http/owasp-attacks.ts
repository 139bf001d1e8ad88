import { randomUUID } from 'node:crypto';
import type { AccessPolicy } from '../../libs/settings/settings.js';
import type { HttpResponse, RequestOptions } from '../servers/client.js';
import { openReceiver, type Receiver } from '../servers/receiver.js';
import type { TestPetstore } from '../servers/test-petstore.js';
import { ALL_SCOPES, USER_SCOPES } from './callers.js';
import { openRawReceiver, type RawReceiver } from './owasp-receiver.js';
import { MAKERS, type Resource, type ResourceKind, type MakerContext } from './resources.js';
import { PASSWORD, STAFF } from './shop.js';

/**
 * The sender of a request. Ann, Bob and staff have tokens of one tenant, Eve has a token of another. `nobody` has no token, and
 * the token of `operator` is of no tenant: both name the first tenant in a header.
 */
export type Person = 'nobody' | 'ann' | 'bob' | 'staff' | 'operator' | 'eve';

/** A request of an attack. */
export type Attempt = readonly [person: Person, method: string, path: string, options?: RequestOptions];

/** The service under attack. Ann is the victim. The attackers are Bob, of her tenant, and Eve, of another tenant. */
export type Scene = {
  readonly service: TestPetstore;
  readonly policy: AccessPolicy;
  readonly tenant: string;
  readonly eveTenant: string;
  /** The accounts. */
  readonly ann: Required<Pick<Resource, 'id' | 'username'>>;
  readonly bob: Required<Pick<Resource, 'id' | 'username'>>;
  /** A pet for sale, a paid order of Ann, and an endpoint of her tenant with a delivery. */
  readonly pet: string;
  readonly order: string;
  readonly webhook: string;
  readonly delivery: string;
  readonly receiver: Receiver;
  readonly raw: RawReceiver;
  readonly send: <T = unknown>(...attempt: Attempt) => Promise<HttpResponse<T>>;
  /** Creates another resource of Ann, which an attack may change, and returns its id. */
  readonly make: (kind: ResourceKind) => Promise<string>;
};

/** An attack, its expected status under the policies `documented` and `strict`, and the section that states it. */
export type Attack = {
  readonly name: string;
  readonly contract: string;
  readonly attempt: (scene: Scene) => Attempt | Promise<Attempt>;
  readonly expected: Readonly<Record<AccessPolicy, number>>;
  /** Throws if the response, or its effect, is not as the contract states. */
  readonly check: (answer: HttpResponse, scene: Scene) => unknown;
};

/** One row of a table of attacks. Of two statuses, the first is for the policy `documented`, the second for `strict`. */
export const attack = (
  name: string,
  contract: string,
  attempt: Attack['attempt'],
  status: number | readonly [documented: number, strict: number],
  check: Attack['check'] = () => undefined,
): Attack => {
  const [documented, strict] = typeof status === 'number' ? [status, status] : status;
  return { name, contract, attempt, expected: { documented, strict }, check };
};

/** Rows of attacks that differ in one value. Each entry of `values` makes a row; its key is the name of the attack. */
export const attacks = <T>(
  values: Readonly<Record<string, T>>,
  contract: string,
  attempt: (value: T, scene: Scene) => Attempt | Promise<Attempt>,
  status: Parameters<typeof attack>[3],
  check?: Attack['check'],
): readonly Attack[] =>
  Object.entries(values).map(([name, value]) => attack(name, contract, (scene) => attempt(value, scene), status, check));

/** Opens the scene of a service. */
export const openScene = async (service: TestPetstore, policy: AccessPolicy): Promise<Scene> => {
  const [tenant, eveTenant] = [randomUUID(), randomUUID()];
  const [receiver, all] = [await openReceiver(), await service.token(ALL_SCOPES, { tenant })];
  const context = (owner: string): MakerContext => ({
    receiver: receiver.url,
    owner,
    request: (method, path, options) => service.request(method, path, { token: all, ...options }),
  });
  const account = async () => (await MAKERS.user(context(''))) as Scene['ann'];
  const [ann, bob] = [await account(), await account()];
  const make = (kind: ResourceKind): Promise<Resource> => MAKERS[kind](context(ann.id));
  const { id: webhook, deliveryId: delivery = '' } = await make('delivery');
  const tokens: Readonly<Record<Person, string | undefined>> = {
    nobody: undefined,
    ann: await service.token(USER_SCOPES, { tenant, subject: ann.id }),
    bob: await service.token(USER_SCOPES, { tenant, subject: bob.id }),
    staff: await service.token(STAFF, { tenant }),
    operator: await service.token('ops'),
    eve: await service.token(ALL_SCOPES, { tenant: eveTenant, subject: 'eve' }),
  };
  return {
    ...{ service, policy, tenant, eveTenant, ann, bob, receiver, webhook, delivery, raw: await openRawReceiver() },
    pet: (await make('pet')).id,
    order: (await make('paid order')).id,
    send: (person, method, path, options = {}) =>
      service.request(method, path, {
        token: tokens[person],
        ...(['nobody', 'operator'].includes(person) && { tenant }),
        ...options,
      }),
    make: async (kind) => (await make(kind)).id,
  };
};

/** Reads the resources of Ann and of her tenant that an attack must not change. */
export const readVictim = async ({ send, ann, pet, order, webhook, delivery }: Scene): Promise<readonly string[]> => {
  const paths = [`/v1/users/${ann.id}`, `/v1/pets/${pet}`, `/v1/orders/${order}`, `/v1/orders/${order}/payment`];
  const texts = [];
  for (const path of [...paths.slice(0, 1)]) texts.push((await send('operator', 'GET', path)).text);
  for (const path of [...paths.slice(1), `/v1/webhooks/${webhook}`, `/v1/webhooks/${webhook}/deliveries/${delivery}`])
    texts.push((await send('staff', 'GET', path)).text);
  return texts;
};

/** The body of a sign-in with the right password. */
export const signInOf = ({ username }: Scene['ann'], password: unknown = PASSWORD) => ({ username, password });
