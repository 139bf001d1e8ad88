import { expect } from '@jest/globals';
import { createRandom } from '../../apps/petstore/seeding/sample-pets.js';
import type { StoredEvent } from '../../libs/eventsourcing/ports/event-store.port.js';
import { eventually } from '../eventually.js';
import { expectInvariant } from '../expect-invariant.js';
import type { Call, JsonResponse } from '../servers/calling.js';
import { adoptionFaults } from './adoption-faults.js';

/** A service whose processes are killed. */
export type KillTarget = {
  /** A client of each api. */
  readonly calls: () => readonly Call[];
  /** Kills a process with SIGKILL. Returns a function that starts it again. */
  readonly kill: (random: () => number) => Promise<() => Promise<void>>;
  /** Reads the whole log, also while processes are down. */
  readonly events: () => Promise<readonly StoredEvent[]>;
};

/** Counts: the kills, the kills that left steps undone (`interrupted`), and the acknowledged applications. */
export type AdoptionKillReport = { readonly kills: number; readonly interrupted: number; readonly applications: number };

type Submission = { readonly petId: string; readonly idempotencyKey: string; response: JsonResponse | null };
type Round = {
  readonly target: KillTarget;
  readonly random: () => number;
  readonly pets: readonly string[];
  readonly submissions: Submission[];
  /** The ids of the applications whose deletion was requested. */
  readonly deleted: Set<string>;
};

const CLIENTS = 12;
const PETS = 4;
const APPLICANT = { name: 'Ann Lee', email: 'ann@example.com' };
const EXPECTED = [200, 201, 204, 409];
/** A deleted application is not found (contract 36.8). */
const EXPECTED_IF_DELETED = [...EXPECTED, 404];

const pick = <T>(from: readonly T[], random: () => number): T => from[Math.floor(random() * from.length)];
const idOf = ({ json }: Pick<JsonResponse, 'json'>): string => String(json['id']);

const submit = (call: Call, { petId, idempotencyKey }: Submission): Promise<JsonResponse> =>
  call('POST', '/v1/adoptions', { idempotencyKey, body: { petId, applicant: APPLICANT } });

type SentRequest = { readonly response: JsonResponse; readonly expected: readonly number[] };

/**
 * Sends a random request of a client. About half of the requests are applications. The rest are orders, and decisions,
 * withdrawals and deletions of applications.
 */
const sendNext = async ({ target, random, pets, submissions, deleted }: Round, name: string): Promise<SentRequest> => {
  const [call, petId, roll] = [pick(target.calls(), random), pick(pets, random), random()];
  const known = submissions.flatMap(({ response }) => (response?.status === 201 ? [idOf(response)] : []));
  if (known.length === 0 || roll < 0.5) {
    const submission: Submission = { petId, idempotencyKey: `${name}-${submissions.length}`, response: null };
    submissions.push(submission);
    submission.response = await submit(call, submission);
    return { response: submission.response, expected: EXPECTED };
  }
  if (roll < 0.55) return { response: await call('POST', '/v1/orders', { body: { petId } }), expected: EXPECTED };
  const id = pick(known, random);
  const isDeletion = roll < 0.6;
  if (isDeletion) deleted.add(id);
  const step = pick(['approval', 'rejection', 'withdrawal', 'withdrawal'], random);
  const response = await (isDeletion ? call('DELETE', `/v1/adoptions/${id}`) : call('POST', `/v1/adoptions/${id}/${step}`));
  return { response, expected: deleted.has(id) ? EXPECTED_IF_DELETED : EXPECTED };
};

/** Sends requests until `isOver` or until one gets no response. A process that stops may answer 503. */
const runClient = async (round: Round, name: string, isOver: () => boolean, onAnswer: () => void): Promise<void> => {
  while (!isOver()) {
    const sent = await sendNext(round, name).catch(() => null);
    if (!sent || sent.response.status === 503) return;
    expect(sent.expected).toContain(sent.response.status);
    onAnswer();
  }
};

/** Kills a process after a random number of responses. Returns a function that starts it again. */
const loadAndKill = async (round: Round, name: string): Promise<() => Promise<void>> => {
  let [answered, isOver] = [0, false];
  const until = 15 + Math.floor(round.random() * 60);
  let reach: () => void = () => undefined;
  const reached = new Promise<void>((resolve) => (reach = resolve));
  const clients = Array.from({ length: CLIENTS }, (_, client) =>
    runClient(
      round,
      `${name}-${client}`,
      () => isOver,
      () => void (++answered >= until && reach()),
    ),
  );
  await Promise.race([reached, Promise.all(clients)]);
  const restart = await round.target.kill(round.random);
  isOver = true;
  await Promise.all(clients);
  return restart;
};

/**
 * Sends each application that got no response or a 503 twice more, with its idempotency key. Expects that both requests
 * return the same application (201), or that the pet no longer accepts an application (409).
 */
const repeatUnanswered = async ({ target, random, submissions }: Round): Promise<void> => {
  for (const submission of submissions) {
    if (submission.response && submission.response.status !== 503) continue;
    const call = pick(target.calls(), random);
    const [first, second] = [await submit(call, submission), await submit(call, submission)];
    expect([201, 409]).toContain(first.status);
    if (first.status === 201) expect([second.status, idOf(second)]).toEqual([201, idOf(first)]);
    submission.response = first;
  }
};

const listPets = async ({ calls }: KillTarget): Promise<readonly string[]> => {
  const [call] = calls();
  if (!call) throw new Error('the service has no api');
  const body = { name: 'Biscuit', species: 'DOG', ageMonths: 14 };
  return Promise.all(Array.from({ length: PETS }, async () => idOf(await call('POST', '/v1/pets', { body }))));
};

const expectRecovered = (target: KillTarget): Promise<unknown> =>
  eventually('every step of the applications to be done', async () => {
    const faults = adoptionFaults(await target.events());
    if (faults.length > 0) throw new Error(faults.slice(0, 10).join('\n'));
    return true;
  });

/** Sends load in each round, kills a process at a random moment, starts it again and checks the log (contract 36.5). */
export const killDuringAdoptions = async (target: KillTarget, rounds: number, seed: number): Promise<AdoptionKillReport> => {
  const random = createRandom(seed);
  let [interrupted, applications] = [0, 0];
  for (let nth = 1; nth <= rounds; nth++) {
    const round: Round = { target, random, pets: await listPets(target), submissions: [], deleted: new Set() };
    const restart = await loadAndKill(round, `${seed}-${nth}`);
    if (adoptionFaults(await target.events()).length > 0) interrupted++;
    await restart();
    await repeatUnanswered(round);
    await expectRecovered(target);
    const events = await target.events();
    const acknowledged = round.submissions.flatMap(({ response }) => (response?.status === 201 ? [`adoption-${idOf(response)}`] : []));
    const streams = new Set(events.map(({ stream }) => stream));
    expectInvariant(
      'no acknowledged application is lost',
      acknowledged.filter((stream) => !streams.has(stream)),
    );
    applications += acknowledged.length;
  }
  return { kills: rounds, interrupted, applications };
};
