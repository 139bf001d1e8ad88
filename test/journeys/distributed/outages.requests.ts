import { eventually } from '../../eventually.js';
import type { Answer, Call } from '../../servers/calling.js';
import { perform } from '../shoppers.js';
import type { Deed, Witness } from '../request-recorder.js';

/** What is asked for again and again: three kinds of writes, three of reads, and how the process is. */
export const ERRANDS = ['list', 'revise', 'order', 'read', 'search', 'count', 'probe'] as const;
export type Errand = (typeof ERRANDS)[number];

/** What one errand met; when it was sent, in milliseconds since what is marked. */
export type Met = {
  readonly errand: Errand;
  readonly sent: number;
  readonly milliseconds: number;
  readonly status: number;
  readonly retryAfter: boolean;
};

/** Pets that are kept to be ordered when no more are listed. */
const RESERVE = 3;
/** Between two of a kind. */
const PAUSE = 100;

const pause = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, PAUSE));

/** Somebody who asks for everything, at each api in turn, and notes what comes of it. */
export class Errands {
  private readonly all: Met[] = [];
  private readonly faults: string[] = [];
  private readonly succeeded = new Map<Errand, number>();
  private begun = performance.now();
  private stopping = false;
  private over: Promise<unknown> = Promise.resolve();
  private numbers = 0;
  private readonly orderable: string[] = [];
  private listing = true;

  private constructor(
    private readonly calls: readonly Call[],
    private readonly witness: Witness,
    private readonly prefix: string,
    private readonly petId: string,
  ) {}

  static async begin(calls: readonly Call[], witness: Witness, prefix: string): Promise<Errands> {
    const body = { name: `${prefix}known`, species: 'DOG', ageMonths: 3, status: 'AVAILABLE' };
    const deed: Deed = { method: 'POST', path: '/v1/pets', body, event: 'PetListed', mark: body.name };
    const [call] = calls;
    if (!call) throw new Error('there is no api');
    const outcome = witness.sent(deed);
    outcome.answer = await perform(call, deed);
    const errands = new Errands(calls, witness, prefix, String(outcome.answer.json['id']));
    errands.over = Promise.all(ERRANDS.map((errand) => errands.repeat(errand)));
    return errands;
  }

  /** From now on it counts: what was sent before is forgotten. */
  mark(): void {
    this.begun = performance.now();
    this.all.length = 0;
  }

  /** What has come of everything that was sent since the mark. */
  met(): readonly Met[] {
    return this.all.filter(({ sent }) => sent >= 0);
  }

  /** What no request should ever meet: one line each. */
  surprises(): readonly string[] {
    return this.faults;
  }

  /** Resolves when every kind has succeeded at every api, from now on. */
  async succeedEach(within = 10_000): Promise<void> {
    this.succeeded.clear();
    const missing = (): readonly Errand[] => ERRANDS.filter((errand) => (this.succeeded.get(errand) ?? 0) < this.calls.length);
    const allThere = (): boolean => {
      if (missing().length > 0) throw new Error(`${missing().join(', ')} did not; ${this.faults.slice(-3).join('\n')}`);
      return true;
    };
    await eventually('every errand to succeed', allThere, within);
  }

  async stop(): Promise<void> {
    this.stopping = true;
    await this.over;
  }

  private async repeat(errand: Errand): Promise<void> {
    for (let turn = 0; !this.stopping; turn++) {
      const call = this.calls[turn % this.calls.length];
      if (call) await this.run(errand, call);
      await pause();
    }
  }

  private async run(errand: Errand, call: Call): Promise<void> {
    const sent = performance.now();
    try {
      const answer = await this.ask(errand, call);
      if (!answer) return;
      const { status, headers } = answer;
      const milliseconds = performance.now() - sent;
      this.all.push({ errand, sent: sent - this.begun, milliseconds, status, retryAfter: Number(headers['retry-after']) > 0 });
      if (status < 300) this.succeeded.set(errand, (this.succeeded.get(errand) ?? 0) + 1);
      else if (status !== 503 || headers['retry-after'] === undefined) this.faults.push(`${errand} was answered ${status}: ${answer.text}`);
    } catch (error) {
      this.faults.push(`${errand} was not answered: ${String(error)}`);
    }
  }

  /** Null when there is nothing to ask for yet. */
  private ask(errand: Errand, call: Call): Promise<Answer | null> {
    const number = ++this.numbers;
    switch (errand) {
      case 'list':
        return this.list(call, number);
      case 'revise':
        return this.revise(call, number);
      case 'order':
        return this.order(call, number);
      case 'read':
        return call('GET', `/v1/pets/${this.petId}`);
      case 'search':
        return call('QUERY', '/v1/pets', { body: { criteria: { species: ['DOG'] } } });
      case 'count':
        return call('GET', '/v1/inventories');
      case 'probe':
        return call('GET', '/health/ready');
    }
  }

  private async list(call: Call, number: number): Promise<Answer> {
    const body = { name: `${this.prefix}${number}`, species: 'DOG', ageMonths: 3, status: 'AVAILABLE' };
    const answer = await this.perform(call, {
      method: 'POST',
      path: '/v1/pets',
      body,
      event: 'PetListed',
      mark: body.name,
      idempotencyKey: body.name,
    });
    this.listing = answer.status === 201;
    if (this.listing) this.orderable.push(String(answer.json['id']));
    return answer;
  }

  private revise(call: Call, number: number): Promise<Answer> {
    const mark = `${this.prefix}revision ${number}`;
    const body = { name: `${this.prefix}known`, species: 'DOG', ageMonths: 4, status: 'AVAILABLE', description: mark };
    return this.perform(call, { method: 'PUT', path: `/v1/pets/${this.petId}`, body, event: 'PetDetailsRevised', mark });
  }

  private async order(call: Call, number: number): Promise<Answer | null> {
    const petId = this.orderable[0];
    if (petId === undefined || (this.listing && this.orderable.length <= RESERVE)) return null;
    this.orderable.shift();
    const mark = `${this.prefix}buyer ${number}`;
    const body = { petId, userId: mark };
    const answer = await this.perform(call, { method: 'POST', path: '/v1/orders', body, event: 'OrderPlaced', mark });
    if (answer.status === 503) this.orderable.push(petId);
    // One that was refused in the middle is placed all the same once the log is back: then the pet is somebody's.
    return answer.status === 409 ? null : answer;
  }

  /** What is refused for now may have been done all the same: nobody knows. */
  private async perform(call: Call, deed: Deed): Promise<Answer> {
    const outcome = this.witness.sent(deed);
    const answer = await perform(call, deed);
    if (answer.status !== 503) outcome.answer = answer;
    return answer;
  }
}
