import {
  CreateAdoption,
  ApproveAdoption,
  DeleteAdoption,
  RejectAdoption,
  WithdrawAdoption,
} from '../../libs/application/adoptions/adoption.commands.js';
import { CreateOrder, DeleteOrder, DeliverOrder, RequestCallback, ShipOrder } from '../../libs/application/orders/order.commands.js';
import { CreateOrderPayment } from '../../libs/application/payments/payment.commands.js';
import { CreatePet, DeletePet, UpdatePet } from '../../libs/application/pets/pet.commands.js';
import type { RequestContext } from '../../libs/application/request.js';
import { CreateUser, DeleteUser, UpdateUser } from '../../libs/application/users/user.commands.js';
import { CreateWebhook, DeleteWebhook, RotateSecret } from '../../libs/application/webhooks/webhook.commands.js';
import { GetOrder } from '../../libs/application/orders/order.queries.js';
import { GetPet } from '../../libs/application/pets/pet.queries.js';
import { GetWebhook } from '../../libs/application/webhooks/webhook.queries.js';
import { aggregateIdOf, categoryOf } from '../../libs/eventsourcing/message.js';
import { isRejection } from '../../libs/eventsourcing/decider.js';
import { StoreUnavailable } from '../../libs/eventsourcing/ports/event-store.port.js';
import type { Command, Query } from '@nestjs/cqrs';
import type { Action, ActionName } from './plan.js';
import type { Random } from './random.js';
import type { Bus } from './service.js';
import type { Story } from './story.js';
import type { Timeline } from './timeline.js';
import { Violation } from './violation.js';

/** The tenants of the clients. */
export const TENANTS = ['0190a6b2-7c1e-7a34-9b0f-3f1a5c2d4e60', '0190a6b5-3f4a-7d67-8e3c-6a4d8f5b7c93'] as const;

/** Milliseconds after which a client gives up on an answer, and between two attempts. */
const PATIENCE = 5_000;
const PAUSE = 300;
const ATTEMPTS = 8;

const DETAILS = { name: 'Rex', species: 'DOG', ageMonths: 24, price: '45.00', currency: 'EUR' } as const;
const CARDS = ['4242424242424242', '4242424242424242', '4000000000000002', '4000000000000259'] as const;

/** A thing that a client has created or tried to create. */
type Thing = { readonly id: string; readonly tenant: string };

/** What a process has answered. `revision` is that of the stream after the change. */
export type Acknowledged = {
  readonly action: ActionName;
  readonly stream: string;
  readonly revision: number;
  readonly tenant: string;
};

/** A process that clients can call. */
export type CalledProcess = {
  readonly name: string;
  readonly bus: Bus;
  /** Whether its answers have tokens, because its read models may lag. */
  readonly givesTokens: boolean;
  /**
   * Runs a request. `token` is the Consistency-Token of an earlier answer. Returns the answer with its token, which only several
   * machines give.
   */
  request<T>(
    kind: 'read' | 'write',
    token: string | undefined,
    work: () => Promise<T>,
  ): Promise<{ readonly value: T; readonly token?: string | undefined }>;
};

/** Returns a process, or null if none answers. */
export type FindProcess = (pick: number) => CalledProcess | null;

type Creation = { readonly category: string; readonly things: Thing[] };

/** The clients of the service. They do what the plan says, and remember what was acknowledged. */
export class Clients {
  readonly acknowledged: Acknowledged[] = [];
  /** The ids of users that were erased, and the rest of what exists. */
  readonly erased: string[] = [];
  private readonly pets: Thing[] = [];
  private readonly orders: Thing[] = [];
  private readonly adoptions: Thing[] = [];
  private readonly users: Thing[] = [];
  private readonly webhooks: Thing[] = [];
  private readonly idOfKey = new Map<string, string>();
  /** The streams that somebody has asked to delete. */
  private readonly deleted = new Set<string>();
  private working = 0;
  private lastAnswerAt = 0;
  /** An error that no client should see. */
  failure: Violation | null = null;

  constructor(
    private readonly timeline: Timeline,
    private readonly random: Random,
    private readonly story: Story,
    private readonly findProcess: FindProcess,
  ) {}

  /** Returns the milliseconds since the last answer, or 0 while a client waits for one. */
  idleFor(): number {
    return this.working > 0 ? 0 : this.timeline.now - this.lastAnswerAt;
  }

  /** Does what an input of the plan says. Ends when the client has an answer or has given up. */
  async act(action: Action, nth: number): Promise<void> {
    const made = this.commandOf(action, nth);
    if (!made) return;
    this.working++;
    try {
      for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
        if (attempt > 0) await this.pause(PAUSE);
        const process = this.findProcess(this.random.number());
        if (!process) continue;
        const who = `client ${nth}`;
        this.story.add(who, `${action.name} ${made.subject} at ${process.name}${action.key === undefined ? '' : ` with ${action.key}`}`);
        const answer = await this.answerOf(process.request('write', undefined, () => process.bus.execute(made.command)));
        this.story.add(who, `${action.name}: ${textOf(answer)}`);
        if (answer.kind === 'answered') {
          const acknowledged = this.take(action, made, answer.value);
          if (acknowledged && this.random.chance(READS)) await this.readBack(acknowledged, process.givesTokens, answer.token);
          return;
        }
        if (answer.kind === 'failed' && !(answer.error instanceof StoreUnavailable))
          return void (this.failure ??= unexpected(action, answer.error));
        if (action.key === undefined) return;
      }
    } finally {
      this.working--;
      this.lastAnswerAt = this.timeline.now;
    }
  }

  private pause(milliseconds: number): Promise<void> {
    return new Promise((resolve) => this.timeline.after(milliseconds, resolve));
  }

  private answerOf(request: ReturnType<CalledProcess['request']>): Promise<Answer> {
    return new Promise((resolve) => {
      this.timeline.after(PATIENCE, () => resolve({ kind: 'no answer' }));
      request.then(
        (answer) => resolve({ kind: 'answered', ...answer }),
        (error: unknown) => resolve({ kind: 'failed', error }),
      );
    });
  }

  /** Reads what was acknowledged, perhaps from another process: a read with the token of the answer must show it. */
  private async readBack({ stream, revision, tenant }: Acknowledged, needsToken: boolean, token: string | undefined): Promise<void> {
    // A write that has changed nothing answers none while the end of the log cannot be read (contract 10.3).
    if (needsToken && token === undefined) return;
    const query = QUERIES[categoryOf(stream)]?.(aggregateIdOf(stream), tenant);
    const process = this.findProcess(this.random.number());
    if (!query || !process) return;
    const answer = await this.answerOf(process.request('read', token, () => process.bus.ask(query)));
    if (answer.kind !== 'answered') return;
    const view = answer.value as { readonly etag: string } | null;
    const shown = view ? revisionOf(view.etag) : NaN;
    this.story.add('client', `reads ${stream} at ${process.name}: ${view ? `revision ${shown}` : 'nothing'}`);
    const isGone = view === null && this.deleted.has(stream);
    if (!isGone && !(shown >= revision))
      this.failure ??= new Violation(
        'a token reads what it wrote',
        `${stream} was acknowledged at revision ${revision}, and ${process.name} then shows ${view?.etag ?? 'nothing'}`,
      );
  }

  /** Remembers an answer. Returns what it acknowledges. */
  private take({ name, key }: Action, { creates, subject, tenant, of }: Made, value: unknown): Acknowledged | null {
    if (value !== null && isRejection(value as never)) return null;
    if (name === 'deleteUser') this.erased.push(subject);
    const view = value as { readonly id?: string; readonly etag?: string } | null;
    if (creates && view?.id !== undefined) {
      const known = key === undefined ? undefined : this.idOfKey.get(`${name} ${tenant} ${key}`);
      if (known !== undefined && known !== view.id)
        this.failure ??= new Violation('one key, one resource', `${name} with ${key} created ${known} and ${view.id}`);
      if (key !== undefined) this.idOfKey.set(`${name} ${tenant} ${key}`, view.id);
      if (!creates.things.some(({ id }) => id === view.id)) creates.things.push({ id: view.id, tenant });
    }
    const revision = revisionOf(view?.etag ?? '');
    const category = creates?.category ?? of;
    if (!category || Number.isNaN(revision)) return null;
    const acknowledged = { action: name, stream: `${category}-${view?.id ?? subject}`, revision, tenant };
    this.acknowledged.push(acknowledged);
    return acknowledged;
  }

  /** Makes the command of an action, or null if nothing exists to do it to. */
  private commandOf({ name, picks, key, isForeign }: Action, nth: number): Made | null {
    const [first, second, third] = picks;
    const tenant = TENANTS[first < 0.7 ? 0 : 1];
    const requestOf = (of: string): RequestContext => ({
      tenant: of,
      actor: `user-${Math.floor(third * 3)}`,
      requestId: `request-${nth}`,
      ...(key !== undefined && { idempotencyKey: key }),
    });
    /** Clients compete for the first things most. */
    const own = (things: readonly Thing[]): Thing | undefined => things[Math.floor(second * second * things.length)];
    /** A command to a thing. A foreign client sends it in the name of the other tenant. */
    const to = (
      things: readonly Thing[],
      category: string,
      make: (id: string, request: RequestContext) => Command<unknown>,
    ): Made | null => {
      const thing = own(things);
      if (!thing) return null;
      if (DELETIONS.has(name)) this.deleted.add(`${category}-${thing.id}`);
      const of = isForeign ? (TENANTS.find((other) => other !== thing.tenant) ?? tenant) : thing.tenant;
      return { command: make(thing.id, requestOf(of)), subject: thing.id, tenant: of, of: category };
    };
    const creation = (category: string, things: Thing[], command: Command<unknown>, of: string, subject = ''): Made => ({
      command,
      subject,
      tenant: of,
      creates: { category, things },
    });
    switch (name) {
      case 'createPet':
        return creation('pet', this.pets, new CreatePet(DETAILS, 'AVAILABLE', requestOf(tenant)), tenant);
      case 'updatePet':
        return to(this.pets, 'pet', (id, request) => new UpdatePet(id, { ...DETAILS, name: `Rex ${nth}` }, 'AVAILABLE', request));
      case 'deletePet':
        return to(this.pets, 'pet', (id, request) => new DeletePet(id, request));
      case 'createOrder': {
        const made = to(this.pets, 'order', (petId, request) => new CreateOrder({ petId, quantity: third < 0.8 ? 1 : 2 }, request));
        return made && { ...creation('order', this.orders, made.command, made.tenant, made.subject) };
      }
      case 'pay':
        return to(this.orders, '', (id, request) => new CreateOrderPayment(id, paymentBy(third, first), request));
      case 'cancelOrder':
        return to(this.orders, 'order', (id, request) => new DeleteOrder(id, request));
      case 'shipOrder':
        return to(this.orders, 'order', (id, request) => new ShipOrder(id, request));
      case 'deliverOrder':
        return to(this.orders, 'order', (id, request) => new DeliverOrder(id, request));
      case 'requestCallback':
        return to(this.orders, '', (id, request) => new RequestCallback(id, CALLBACK, request));
      case 'createAdoption': {
        const applicant = { name: `Ann ${nth}`, email: `ann${nth}@example.com` };
        const made = to(this.pets, 'adoption', (petId, request) => new CreateAdoption({ petId, applicant }, request));
        return made && { ...creation('adoption', this.adoptions, made.command, made.tenant, made.subject) };
      }
      case 'approveAdoption':
        return to(this.adoptions, 'adoption', (id, request) => new ApproveAdoption(id, request));
      case 'rejectAdoption':
        return to(this.adoptions, 'adoption', (id, request) => new RejectAdoption(id, request));
      case 'withdrawAdoption':
        return to(this.adoptions, 'adoption', (id, request) => new WithdrawAdoption(id, request));
      case 'deleteAdoption':
        return to(this.adoptions, 'adoption', (id, request) => new DeleteAdoption(id, request));
      case 'createUser': {
        const profile = { username: `user${Math.floor(second * 4)}`, email: `user${Math.floor(second * 4)}@example.com` };
        return creation('user', this.users, new CreateUser(profile, 'a long password', requestOf(tenant)), tenant);
      }
      case 'updateUser':
        return to(
          this.users,
          'user',
          (id, request) =>
            new UpdateUser(
              id,
              third < 0.5 ? { firstName: `Ann ${nth}` } : { username: `user${Math.floor(second * 4)}` },
              undefined,
              request,
            ),
        );
      case 'deleteUser':
        return to(this.users, 'user', (id, request) => new DeleteUser(id, request));
      case 'createWebhook':
        return creation('webhook', this.webhooks, new CreateWebhook(webhookTerms(second), requestOf(tenant)), tenant);
      case 'deleteWebhook':
        return to(this.webhooks, 'webhook', (id, request) => new DeleteWebhook(id, request));
      case 'rotateSecret':
        return to(this.webhooks, '', (id, request) => new RotateSecret(id, request));
    }
  }
}

type Answer =
  | { readonly kind: 'answered'; readonly value: unknown; readonly token?: string | undefined }
  | { readonly kind: 'failed'; readonly error: unknown }
  | { readonly kind: 'no answer' };

/** A command, and what it is about. `of` is the category of the stream that it changes, `` if the answer does not say its revision. */
type Made = {
  readonly command: Command<unknown>;
  readonly subject: string;
  readonly tenant: string;
  readonly creates?: Creation;
  readonly of?: string;
};

/** The probability of a read after an acknowledged change. */
const READS = 0.3;

const DELETIONS: ReadonlySet<ActionName> = new Set(['deletePet', 'cancelOrder', 'deleteWebhook']);

const QUERIES: Readonly<Record<string, (id: string, tenant: string) => Query<unknown>>> = {
  pet: (id, tenant) => new GetPet(id, tenant),
  order: (id, tenant) => new GetOrder(id, tenant),
  webhook: (id, tenant) => new GetWebhook(id, tenant),
};

/** Returns the revision in an entity tag, such as 3 in `3.1`. */
const revisionOf = (etag: string): number => Number(/(\d+)\.\d+[a-z]*$/.exec(etag)?.[1] ?? NaN);

const CALLBACK = { callbackUrl: 'https://callbacks.example/', amount: '45.00', currency: 'EUR', timestamp: '2026-03-01T12:00:00Z' };

/** Pays for one pet or for two, whatever the order is about. */
const paymentBy = (pick: number, amount: number) => ({
  amount: amount < 0.8 ? '45.00' : '90.00',
  currency: 'EUR',
  instrument: {
    object: 'card',
    number: CARDS[Math.floor(pick * CARDS.length)] ?? CARDS[0],
    cvc: '123',
    expMonth: 12,
    expYear: 2035,
  } as const,
  holder: {},
});

const webhookTerms = (pick: number) => ({
  url: `https://receiver${Math.floor(pick * 2)}.example/`,
  events: ['order.statusChanged', 'payment.succeeded', 'pet.adopted'] as const,
  ordered: pick > 0.5,
});

const textOf = (answer: Answer): string => {
  if (answer.kind === 'no answer') return 'no answer';
  if (answer.kind === 'failed') return String(answer.error);
  return JSON.stringify(answer.value)?.slice(0, 160) ?? 'done';
};

const unexpected = (action: Action, error: unknown): Violation =>
  new Violation('no unexpected error', `${action.name} failed: ${error instanceof Error ? (error.stack ?? String(error)) : String(error)}`);
