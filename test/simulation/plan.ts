import { randomFrom, type Random } from './random.js';

/** Where the service runs: on one folder, or on several machines with servers that they share. */
export type WorldName = 'one folder' | 'several machines';

const ACTIONS = {
  createPet: 3,
  updatePet: 2,
  deletePet: 1,
  createOrder: 8,
  pay: 8,
  cancelOrder: 3,
  shipOrder: 3,
  deliverOrder: 2,
  requestCallback: 2,
  createAdoption: 3,
  approveAdoption: 2,
  rejectAdoption: 1,
  withdrawAdoption: 1,
  deleteAdoption: 1,
  createUser: 3,
  updateUser: 4,
  deleteUser: 1,
  createWebhook: 2,
  deleteWebhook: 1,
  rotateSecret: 1,
} as const;
export type ActionName = keyof typeof ACTIONS;

/** What a client does. `picks` decide what it does it to, from what exists by then. */
export type Action = {
  readonly kind: 'action';
  readonly at: number;
  readonly name: ActionName;
  readonly picks: readonly [number, number, number];
  /** The client of another tenant does it, to a thing that is not its own. */
  readonly isForeign: boolean;
  /** Absent: the client does not try again. */
  readonly key?: string;
};

/** What happens to the machines, the servers and the network. */
export type Fault = {
  readonly kind: 'fault';
  readonly at: number;
  readonly name:
    'crash' | 'pause' | 'server away' | 'cut' | 'lost answers' | 'slow network' | 'clock' | 'full disk' | 'slow disk' | 'failing receivers';
  readonly picks: readonly [number, number, number];
  /** Milliseconds until it ends. */
  readonly duration: number;
};

/** Everything that happens to a run from outside. The rest follows from the seed. */
export type Plan = { readonly world: WorldName; readonly seed: number; readonly inputs: readonly (Action | Fault)[] };

/** Milliseconds in which clients act and faults begin. */
export const ACTIVE = 12_000;

const FAULTS: Readonly<Record<WorldName, readonly Fault['name'][]>> = {
  'one folder': ['crash', 'crash', 'crash', 'clock', 'full disk', 'slow disk', 'failing receivers'],
  'several machines': [
    'crash',
    'crash',
    'crash',
    'pause',
    'server away',
    'cut',
    'lost answers',
    'lost answers',
    'slow network',
    'clock',
    'failing receivers',
  ],
};

const NAMES = (Object.entries(ACTIONS) as readonly [ActionName, number][]).flatMap(([name, weight]) =>
  Array.from({ length: weight }, () => name),
);

/** Makes the plan of a run. A third of the runs has few faults, and some have none. */
export const planOf = (world: WorldName, seed: number): Plan => {
  const random = randomFrom(seed);
  const faults = random.chance(0.3) ? random.below(2) : 1 + random.below(6);
  const actions: Action[] = [];
  for (let nth = 0, count = 15 + random.below(45); nth < count; nth++) actions.push(actionOf(random, nth, actions.at(-1)));
  const inputs = [...actions, ...Array.from({ length: faults }, () => faultOf(random, world))];
  return { world, seed, inputs: inputs.toSorted((one, other) => one.at - other.at) };
};

const picksOf = (random: Random): readonly [number, number, number] => [random.number(), random.number(), random.number()];

/** Most runs need a pet and an endpoint first. A third of the other actions compete with one at the same time, perhaps for the same thing. */
const actionOf = (random: Random, nth: number, last: Action | undefined): Action => {
  const key = random.chance(0.7) ? { key: `key-${nth}` } : {};
  const rest = { kind: 'action', isForeign: random.chance(0.05), picks: picksOf(random), ...key } as const;
  if (nth < 2 || !last)
    return { ...rest, at: random.number() * 200, name: nth === 0 ? 'createPet' : random.pick(['createWebhook', 'createPet']) };
  const name = random.pick(NAMES);
  if (random.chance(0.65)) return { ...rest, at: random.number() * ACTIVE, name };
  const at = last.at + random.number() * 15;
  return random.chance(0.5) ? { ...rest, at, name: last.name, picks: last.picks } : { ...rest, at, name };
};

const faultOf = (random: Random, world: WorldName): Fault => ({
  kind: 'fault',
  at: random.number() * ACTIVE,
  name: random.pick(FAULTS[world]),
  picks: picksOf(random),
  duration: random.pick([100, 500, 2_000, 4_000, 8_000]),
});
