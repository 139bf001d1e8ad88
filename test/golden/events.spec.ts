import { describe, expect, it } from '@jest/globals';
import {
  ADOPTIONS,
  ORDERS,
  PAYMENTS,
  PETS,
  REVOCATIONS_OF_DAY,
  OPERATIONS_OF_DAY,
  SECURITY_OF_DAY,
  USERNAMES,
  USERS,
  EMAILS,
  NUMBERS,
  WEBHOOK_SLOTS,
  WEBHOOKS,
} from '../../libs/application/aggregates.js';
import { createCodec } from '../../libs/runtime/codec/codec.js';
import { createProjector } from '../../libs/runtime/projecting/projector.js';
import { CHECKPOINT_STREAM } from '../../libs/domain/checkpoints/checkpoint.events.js';
import { DOMAIN_EVENTS } from '../../libs/domain/events.js';
import { canonicalJson } from '../../libs/eventsourcing/canonical-json.js';
import type { Aggregate } from '../../libs/eventsourcing/streams/aggregate.js';
import type { Message, RecordedEvent } from '../../libs/eventsourcing/message.js';
import type { PersonalFields } from '../../libs/eventsourcing/sealed.js';
import { projections } from '../../libs/projections/projections.js';
import { paymentId } from './events.samples.js';
import { currentEvents, eventChange, goldenEvents, originalForm, type GoldenEvent } from './golden-events.js';
import { assertAccepted } from './golden-files.js';

type Declaration = {
  readonly category: string;
  readonly schemaVersion: number;
  readonly optional?: readonly string[];
  readonly personal?: PersonalFields;
};
const declarations: Readonly<Record<string, Declaration>> = DOMAIN_EVENTS;
const aggregates = [
  PETS,
  ORDERS,
  PAYMENTS,
  ADOPTIONS,
  WEBHOOKS,
  WEBHOOK_SLOTS,
  NUMBERS,
  USERS,
  USERNAMES,
  EMAILS,
  REVOCATIONS_OF_DAY,
  SECURITY_OF_DAY,
  OPERATIONS_OF_DAY,
] as unknown as readonly Aggregate<unknown, Message, Message, string>[];
const firstEventOfCategory: Readonly<Record<string, string>> = {
  pet: 'PetListed',
  numbers: 'NumbersReserved',
  order: 'OrderPlaced',
  payment: 'PaymentRequested',
  adoption: 'AdoptionSubmitted',
  webhook: 'WebhookRegistered',
  webhookslots: 'WebhookSlotsCounted',
  user: 'UserRegistered',
  username: 'UsernameClaimed',
  email: 'EmailClaimed',
  revocations: 'SessionEnded',
  security: 'SecurityEventRecorded',
  operations: 'ParkedRetried',
  checkpoint: 'CheckpointSigned',
};

const notNeeded = (): never => {
  throw new Error('decoding a golden event must not use keys, ids or the time');
};
const codec = createCodec(DOMAIN_EVENTS, {
  keys: { serviceKey: notNeeded, personalKey: notNeeded, destroyPersonalKey: notNeeded },
  ids: { next: notNeeded, derived: notNeeded },
  clock: { now: notNeeded, elapsed: notNeeded, after: notNeeded },
});

const current = currentEvents();
const golden = goldenEvents();
const files = golden.map((event) => [event.file, event] as const);
const categoryOf = ({ type }: GoldenEvent): string => declarations[type]?.category ?? 'unknown';

/** Returns a golden event as a read of its stream would return it: decoded, with metadata. */
const read = ({ type, schemaVersion, data }: GoldenEvent, revision: number, stream: string): RecordedEvent => {
  const common = { $causationId: 'request-1', $correlationId: 'request-1', actor: 'anonymous', hash: '', previousHash: '' };
  const metadata = canonicalJson({ ...common, schemaVersion, tenant: 'shared', time: '2026-01-02T03:04:05.000Z' });
  return codec.decode({ id: `event-${revision}`, type, data: canonicalJson(data), metadata, stream, revision, position: revision + 1 });
};

/** Returns a history that ends with this event. If another event begins the streams of its category, that event comes first. */
const historyUpTo = (event: GoldenEvent): readonly RecordedEvent[] => {
  const category = categoryOf(event);
  const stream = `${category}-${paymentId}`;
  const first = golden.find(({ type }) => type === firstEventOfCategory[category]);
  if (!first) throw new Error(`no golden event begins a ${category}`);
  return event.type === first.type ? [read(event, 0, stream)] : [read(first, 0, stream), read(event, 1, stream)];
};

/** Proves contract 23.3. */
describe('every event type', () => {
  it.each(Object.entries(declarations))('%s has a golden file of every older version', (type, { schemaVersion }) => {
    const older = Array.from({ length: schemaVersion - 1 }, (_, index) => index + 1);
    const missing = older.filter((version) => !golden.some((event) => event.type === type && event.schemaVersion === version));
    expect(missing.map((version) => `${type}.v${version}.json is missing. Logs contain such events: restore the file`)).toEqual([]);
  });

  it.each(current.map((event) => [event.file, event] as const))(
    'has the golden file %s, with every field of the current shape',
    (_, event) => assertAccepted(eventChange(event, golden, declarations[event.type] ?? {})),
  );

  it('has a sample for each golden file of its current version', () => {
    const ofCurrentVersion = golden.filter(({ type, schemaVersion }) => declarations[type]?.schemaVersion === schemaVersion);
    const hasSample = ({ type, form }: GoldenEvent) => current.some((one) => one.type === type && one.form === originalForm(form));
    expect(ofCurrentVersion.filter((event) => !hasSample(event)).map(({ file }) => file)).toEqual([]);
  });
});

/** Proves contract 23.3. */
describe('the golden event', () => {
  it.each(files)('%s has a declared type and no newer version', (_, { type, schemaVersion }) =>
    expect(declarations[type]?.schemaVersion).toBeGreaterThanOrEqual(schemaVersion),
  );

  // A signed checkpoint has no aggregate: it follows from the log alone, and no command decides it.
  const decided = files.filter(([, event]) => categoryOf(event) !== CHECKPOINT_STREAM);
  it.each(decided)('%s can still be applied to its aggregate', (_, event) => {
    const aggregate = aggregates.find(({ category }) => category === categoryOf(event));
    const history = historyUpTo(event);
    const { initial, evolve } = aggregate?.decider ?? { initial: null, evolve: notNeeded };
    // A stream of revocations, security events or actions of operators contains those of all tenants, so it belongs to no tenant.
    const tenant = ['revocations', 'security', 'operations'].includes(categoryOf(event)) ? null : 'shared';
    expect(history.reduce((state, past) => evolve(state, past, past.meta), initial)).toMatchObject({ tenant });
  });

  it.each(files)('%s can still be applied to its read models', (_, event) => {
    const history = historyUpTo(event);
    const runs = projections.map((projection) => {
      const { project, category } = createProjector(projection);
      const { writes, parked } = project(
        history,
        () => null,
        () => false,
      );
      return { category, parked, documents: writes.filter(({ kind }) => kind === 'put').length };
    });
    expect(runs.flatMap(({ parked }) => parked)).toEqual([]);
    // Only the first projection of a category has a document for each aggregate, until an event removes the aggregate.
    const gone = ['PetRetired', 'OrderRemoved', 'WebhookRemoved', 'UserErased', 'AdoptionErased'].includes(event.type);
    const first = runs.find(({ category }) => category === categoryOf(event));
    if (first) expect(first.documents).toBe(gone ? 0 : 1);
  });
});

/** Proves contract 23.7. */
describe('personal fields', () => {
  const personal = golden.flatMap((event) => {
    const fields = declarations[event.type]?.personal;
    return fields ? [[event.file, event, fields] as const] : [];
  });

  it.each(personal)('of %s are encrypted', (_, { data }, { paths }) => {
    const values = paths.map((path) =>
      path.split('.').reduce<unknown>((value, name) => (value as Readonly<Record<string, unknown>> | undefined)?.[name], data),
    );
    for (const value of values) expect(value === undefined || typeof value === 'object').toBe(true);
    expect(values.filter((value) => value !== undefined).length).toBeGreaterThan(0);
  });

  it.each(personal)(
    'of %s have the payment, the image and its account, the application, the user or the day as subject',
    (_, event, { subject }) => {
      const kind = ['adoption', 'user', 'security'].includes(categoryOf(event)) ? categoryOf(event) : 'payment';
      const { payer, imageId, uploader } = event.data as { readonly payer?: string; readonly imageId?: string; readonly uploader?: string };
      const own = imageId === undefined ? `${kind}:${paymentId}` : `image:${imageId}`;
      const account = payer ?? uploader;
      const expected = account === undefined ? own : [own, `user:${account}`];
      expect(subject(event.data as never, { stream: `${categoryOf(event)}-${paymentId}`, tenant: 'shared' })).toEqual(expected);
    },
  );
});
