import { eventually } from '../../eventually.js';
import type { JsonResponse, Call } from '../../servers/calling.js';
import { sendRequest } from '../shoppers.js';
import type { ChangeRequest, RequestRecorder } from '../request-recorder.js';

/** The kinds of requests in an outage test: three writes, three reads and a readiness probe. */
export const REQUEST_KINDS = ['list', 'revise', 'order', 'read', 'search', 'count', 'probe'] as const;
export type RequestKind = (typeof REQUEST_KINDS)[number];

/** The result of one request. `sent` is the time of sending, in milliseconds since the last call of `discardResults`. */
export type RequestResult = {
  readonly kind: RequestKind;
  readonly sent: number;
  readonly milliseconds: number;
  readonly status: number;
  readonly retryAfter: boolean;
};

/** While pets can be created, this many stay unordered. They are ordered during an outage in which no pets can be created. */
const PETS_FOR_ORDERS = 3;
/** Milliseconds between two requests of a kind. */
const PAUSE = 100;

const pause = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, PAUSE));

/** Sends requests of every kind to each API in turn and records the results. */
export class OutageRequests {
  private readonly all: RequestResult[] = [];
  private readonly failures: string[] = [];
  private readonly succeeded = new Map<RequestKind, number>();
  private begun = performance.now();
  private stopping = false;
  private finished: Promise<unknown> = Promise.resolve();
  private lastNumber = 0;
  private readonly orderable: string[] = [];
  private canCreatePets = true;

  private constructor(
    private readonly calls: readonly Call[],
    private readonly recorder: RequestRecorder,
    private readonly prefix: string,
    private readonly petId: string,
  ) {}

  static async begin(calls: readonly Call[], recorder: RequestRecorder, prefix: string): Promise<OutageRequests> {
    const body = { name: `${prefix}known`, species: 'DOG', ageMonths: 3, status: 'AVAILABLE' };
    const request: ChangeRequest = { method: 'POST', path: '/v1/pets', body, event: 'PetListed', marker: body.name };
    const [call] = calls;
    if (!call) throw new Error('there is no api');
    const outcome = recorder.record(request);
    outcome.response = await sendRequest(call, request);
    const requests = new OutageRequests(calls, recorder, prefix, String(outcome.response.json['id']));
    requests.finished = Promise.all(REQUEST_KINDS.map((kind) => requests.repeat(kind)));
    return requests;
  }

  /** Discards all results so far. */
  discardResults(): void {
    this.begun = performance.now();
    this.all.length = 0;
  }

  /** The results of the requests since `discardResults`. */
  results(): readonly RequestResult[] {
    return this.all.filter(({ sent }) => sent >= 0);
  }

  /** Returns a line for each unexpected response. */
  unexpectedResponses(): readonly string[] {
    return this.failures;
  }

  /** Waits until each kind of request has succeeded again as many times as there are APIs. */
  async waitForSuccessOfEach(within = 10_000): Promise<void> {
    this.succeeded.clear();
    const missing = (): readonly RequestKind[] => REQUEST_KINDS.filter((kind) => (this.succeeded.get(kind) ?? 0) < this.calls.length);
    const haveAllSucceeded = (): boolean => {
      if (missing().length > 0) throw new Error(`${missing().join(', ')} did not succeed; ${this.failures.slice(-3).join('\n')}`);
      return true;
    };
    await eventually('every kind of request to succeed', haveAllSucceeded, within);
  }

  async stop(): Promise<void> {
    this.stopping = true;
    await this.finished;
  }

  private async repeat(kind: RequestKind): Promise<void> {
    for (let turn = 0; !this.stopping; turn++) {
      const call = this.calls[turn % this.calls.length];
      if (call) await this.run(kind, call);
      await pause();
    }
  }

  private async run(kind: RequestKind, call: Call): Promise<void> {
    const sent = performance.now();
    try {
      const response = await this.send(kind, call);
      if (!response) return;
      const { status, headers } = response;
      const milliseconds = performance.now() - sent;
      this.all.push({ kind, sent: sent - this.begun, milliseconds, status, retryAfter: Number(headers['retry-after']) > 0 });
      if (status < 300) this.succeeded.set(kind, (this.succeeded.get(kind) ?? 0) + 1);
      else if (status !== 503 || headers['retry-after'] === undefined) this.failures.push(`${kind} answered ${status}: ${response.text}`);
    } catch (error) {
      this.failures.push(`${kind} got no answer: ${String(error)}`);
    }
  }

  /** Sends a request of a kind. Returns null if no pet is left for an order, or if the order gets 409. */
  private send(kind: RequestKind, call: Call): Promise<JsonResponse | null> {
    const number = ++this.lastNumber;
    switch (kind) {
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

  private async list(call: Call, number: number): Promise<JsonResponse> {
    const body = { name: `${this.prefix}${number}`, species: 'DOG', ageMonths: 3, status: 'AVAILABLE' };
    const response = await this.sendRecorded(call, {
      method: 'POST',
      path: '/v1/pets',
      body,
      event: 'PetListed',
      marker: body.name,
      idempotencyKey: body.name,
    });
    this.canCreatePets = response.status === 201;
    if (this.canCreatePets) this.orderable.push(String(response.json['id']));
    return response;
  }

  private revise(call: Call, number: number): Promise<JsonResponse> {
    const marker = `${this.prefix}revision ${number}`;
    const body = { name: `${this.prefix}known`, species: 'DOG', ageMonths: 4, status: 'AVAILABLE', description: marker };
    return this.sendRecorded(call, { method: 'PUT', path: `/v1/pets/${this.petId}`, body, event: 'PetDetailsRevised', marker });
  }

  private async order(call: Call, number: number): Promise<JsonResponse | null> {
    const petId = this.orderable[0];
    if (petId === undefined || (this.canCreatePets && this.orderable.length <= PETS_FOR_ORDERS)) return null;
    this.orderable.shift();
    const marker = `${this.prefix}buyer ${number}`;
    const body = { petId, userId: marker };
    const response = await this.sendRecorded(call, { method: 'POST', path: '/v1/orders', body, event: 'OrderPlaced', marker });
    if (response.status === 503) this.orderable.push(petId);
    // An order may be placed although its response was 503. Its pet is then reserved, and the next order for it gets 409.
    return response.status === 409 ? null : response;
  }

  /** Records a request, sends it and records its response. A 503 is not recorded as a response: the log may have the change. */
  private async sendRecorded(call: Call, request: ChangeRequest): Promise<JsonResponse> {
    const outcome = this.recorder.record(request);
    const response = await sendRequest(call, request);
    if (response.status !== 503) outcome.response = response;
    return response;
  }
}
