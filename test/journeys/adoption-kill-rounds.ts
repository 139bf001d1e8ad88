import { expect } from '@jest/globals';
import type { StoredEvent } from '../../libs/eventsourcing/ports/event-store.port.js';
import { eventually } from '../eventually.js';
import { expectInvariant } from '../expect-invariant.js';
import type { Call, JsonResponse } from '../servers/calling.js';
import { adoptionFaults } from './adoption-faults.js';
import { startClients, type Load, type NextRequest } from './clients-load.js';
import { killInRounds, type KillTarget } from './kills.js';
import { Ledger } from './ledger.js';

/** A service that is killed while people apply for pets. */
export type AdoptionTarget = KillTarget & {
  /** A client of each api. */
  readonly calls: () => readonly Call[];
  /** Reads the whole log, also while processes are down. */
  readonly events: () => Promise<readonly StoredEvent[]>;
};

/** Counts: the kills, the kills that left steps undone (`interrupted`), and the acknowledged applications. */
export type AdoptionKillReport = { readonly kills: number; readonly interrupted: number; readonly applications: number };

type Submission = { readonly petId: string; readonly idempotencyKey: string };
type Round = {
  readonly target: AdoptionTarget;
  readonly random: () => number;
  readonly pets: readonly string[];
  readonly submissions: Ledger<Submission, JsonResponse>;
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

type SentRequest = { readonly response: JsonResponse | null; readonly expected: readonly number[] };

/**
 * Sends a random request of a client. About half of the requests are applications. The rest are orders, and decisions,
 * withdrawals and deletions of applications.
 */
const sendNext = async ({ target, random, pets, submissions, deleted }: Round, name: string): Promise<SentRequest> => {
  const [call, petId, roll] = [pick(target.calls(), random), pick(pets, random), random()];
  const known = submissions.acknowledged().map(({ response }) => idOf(response));
  if (known.length === 0 || roll < 0.5) {
    const submission = { petId, idempotencyKey: `${name}-${submissions.outcomes.length}` };
    return { response: await submissions.send(submission, (sent) => submit(call, sent)), expected: EXPECTED };
  }
  if (roll < 0.55) return { response: await call('POST', '/v1/orders', { body: { petId } }), expected: EXPECTED };
  const id = pick(known, random);
  const isDeletion = roll < 0.6;
  if (isDeletion) deleted.add(id);
  const step = pick(['approval', 'rejection', 'withdrawal', 'withdrawal'], random);
  const response = await (isDeletion ? call('DELETE', `/v1/adoptions/${id}`) : call('POST', `/v1/adoptions/${id}/${step}`));
  return { response, expected: deleted.has(id) ? EXPECTED_IF_DELETED : EXPECTED };
};

/** Returns the requests of a client. A process that stops may answer 503. */
const applying =
  (round: Round, name: string): NextRequest =>
  async () => {
    const sent = await sendNext(round, name).catch(() => null);
    if (!sent?.response || sent.response.status === 503) return 'no answer';
    expect(sent.expected).toContain(sent.response.status);
    return 'answered';
  };

/**
 * Sends each application that got no response or a 503 twice more, with its idempotency key. Expects that both requests
 * return the same application (201), or that the pet no longer accepts an application (409).
 */
const repeatUnanswered = async ({ target, random, submissions }: Round): Promise<void> => {
  for (const outcome of submissions.outcomes) {
    if (outcome.response && outcome.response.status !== 503) continue;
    const call = pick(target.calls(), random);
    const [first, second] = [await submit(call, outcome.request), await submit(call, outcome.request)];
    expect([201, 409]).toContain(first.status);
    if (first.status === 201) expect([second.status, idOf(second)]).toEqual([201, idOf(first)]);
    outcome.response = first;
  }
};

const listPets = async ({ calls }: AdoptionTarget): Promise<readonly string[]> => {
  const [call] = calls();
  if (!call) throw new Error('the service has no api');
  const body = { name: 'Biscuit', species: 'DOG', ageMonths: 14 };
  return Promise.all(Array.from({ length: PETS }, async () => idOf(await call('POST', '/v1/pets', { body }))));
};

const expectRecovered = (target: AdoptionTarget): Promise<unknown> =>
  eventually('every step of the applications to be done', async () => {
    const faults = adoptionFaults(await target.events());
    if (faults.length > 0) throw new Error(faults.slice(0, 10).join('\n'));
    return true;
  });

/** Sends load in each round, kills a process at a random moment, starts it again and checks the log (contract 36.5). */
export const killDuringAdoptions = async (target: AdoptionTarget, rounds: number, seed: number): Promise<AdoptionKillReport> => {
  let [interrupted, applications] = [0, 0];
  let round: Round;
  let load: Load;
  await killInRounds(
    target,
    {
      async start(random, nth) {
        const submissions = new Ledger<Submission, JsonResponse>(({ status }) => status === 201);
        round = { target, random, pets: await listPets(target), submissions, deleted: new Set() };
        load = startClients(Array.from({ length: CLIENTS }, (_, client) => applying(round, `${seed}-${nth}-${client}`)));
        return load;
      },
      moment: (random) => load.after(15 + Math.floor(random() * 60), 'answered'),
      async whileDown() {
        if (adoptionFaults(await target.events()).length > 0) interrupted++;
      },
      async check() {
        await repeatUnanswered(round);
        await expectRecovered(target);
        const streams = new Set((await target.events()).map(({ stream }) => stream));
        const acknowledged = round.submissions.acknowledged().map(({ response }) => `adoption-${idOf(response)}`);
        expectInvariant(
          'no acknowledged application is lost',
          acknowledged.filter((stream) => !streams.has(stream)),
        );
        applications += acknowledged.length;
      },
    },
    { rounds, seed },
  );
  return { kills: rounds, interrupted, applications };
};
