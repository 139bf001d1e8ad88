import { createPublicKey } from 'node:crypto';
import type { SignedCheckpoint } from '../domain/checkpoints/checkpoint.events.js';
import { DOMAIN_EVENTS } from '../domain/events.js';
import type { EventCodec } from '../eventsourcing/event-codec.js';
import type { Message } from '../eventsourcing/message.js';
import type { EventStore, StoredEvent } from '../eventsourcing/ports/event-store.port.js';
import { manualClock, type ManualClock } from '../eventsourcing/testing/manual-clock.js';
import { createCodec } from '../runtime/codec/codec.js';
import { chainOnlyCodec, checkHistory } from '../runtime/codec/history-check.js';
import { privateKeyOf } from '../runtime/codec/ed25519.js';
import { CheckpointMaker } from './checkpoints/checkpoint-maker.js';
import { proofKeyOf, type ProofKey } from './proof/signing.js';
import type { PublicKeys } from './proof/signatures.js';
import type { AuditFault } from './verify/audit-fault.js';
import { verifyLog, type AuditSummary, type LogAudit } from './verify/verify-log.js';

/** A log in memory whose events a test may alter. */
export type AuditedLog = {
  /** The events, in order. A test may replace them. */
  events: StoredEvent[];
  readonly codec: EventCodec;
  readonly store: Pick<EventStore, 'append' | 'readAll' | 'readStream'>;
  readonly clock: ManualClock;
  readonly keys: PublicKeys;
  readonly maker: CheckpointMaker;
  /** Returns another maker of checkpoints, as if for another process. */
  readonly newMaker: (key?: ProofKey) => CheckpointMaker;
  /** Appends events to a stream. */
  readonly add: (stream: string, count: number, tenant?: string) => Promise<void>;
  readonly verify: (
    collected?: readonly SignedCheckpoint[],
    more?: Pick<LogAudit, 'from' | 'signal' | 'page' | 'onProgress' | 'startChains'>,
  ) => Promise<AuditSummary & { readonly faults: readonly AuditFault[] }>;
};

const never = (): never => {
  throw new Error('no event here has personal fields');
};

/** Returns a signing key that is derived from a seed. */
export const testKey = (seed: number): ProofKey => proofKeyOf(privateKeyOf(Buffer.alloc(32, seed)));

/** Creates an empty log with a key that signs its checkpoints. */
export const auditedLog = (): AuditedLog => {
  const clock = manualClock();
  let created = 0;
  const ids = { next: () => `00000000-0000-7000-8000-${String(++created).padStart(12, '0')}`, derived: never };
  const codec = createCodec(DOMAIN_EVENTS, { keys: { serviceKey: never, personalKey: never, destroyPersonalKey: never }, ids, clock });
  const key = testKey(1);
  const keys = new Map([[key.keyId, createPublicKey(key.privateKey)]]);
  const log: { events: StoredEvent[] } = { events: [] };
  const store = memoryStore(log);
  const newMaker = (signer = key): CheckpointMaker =>
    new CheckpointMaker({ store, codec, clock, ids, storeId: 'store-1', signingKey: async () => signer });
  return Object.assign(log, {
    ...{ codec, store, clock, keys, newMaker, maker: newMaker() },
    add: async (stream: string, count: number, tenant = 'shared') => {
      clock.advance(1_000);
      const own = log.events.filter((event) => event.stream === stream);
      const last = own.at(-1);
      const end = last ? { revision: last.revision, hash: codec.hashOf(last) } : { revision: 'none' as const, hash: '' };
      const messages: Message[] = Array.from({ length: count }, (_, index) => ({ type: 'PetRetired', data: { status: `s${index}` } }));
      const { encoded } = await codec.encode(stream, end, messages, { tenant, actor: 'test', correlationId: 'c', causationId: 'c' });
      await store.append(stream, end.revision, encoded);
    },
    verify: async (collected: readonly SignedCheckpoint[] = [], more = {}) => {
      const faults: AuditFault[] = [];
      const upTo = log.events.at(-1)?.position ?? 0;
      const summary = await verifyLog({
        ...{ store, codec, upTo, keys, collected, ...more },
        positions: 'without gaps',
        onFault: (fault) => void faults.push(fault),
      });
      return { ...summary, faults };
    },
  });
};

const memoryStore = (log: { events: StoredEvent[] }): Pick<EventStore, 'append' | 'readAll' | 'readStream'> => ({
  async append(stream, expected, events) {
    const last = log.events.filter((event) => event.stream === stream).at(-1);
    const actual = last?.revision ?? 'none';
    if (actual !== expected) return { kind: 'conflict', actual };
    const first = expected === 'none' ? 0 : expected + 1;
    const position = log.events.at(-1)?.position ?? 0;
    log.events.push(...events.map((event, index) => ({ ...event, stream, revision: first + index, position: position + 1 + index })));
    return { kind: 'appended', revision: first + events.length - 1, position: position + events.length };
  },
  async readAll(after, limit) {
    return log.events.filter(({ position }) => position > after).slice(0, limit);
  },
  async readStream(stream, from = 0, limit = Infinity) {
    return log.events.filter((event) => event.stream === stream && event.revision >= from).slice(0, limit);
  },
});

/** Returns a function that verifies the hash chains of a log, as a separate thread does during an audit. */
export const chainsOf =
  ({ store, codec, events }: AuditedLog): NonNullable<LogAudit['startChains']> =>
  (after, onFault) => {
    const upTo = events.at(-1)?.position ?? 0;
    const done = checkHistory({ store, codec: chainOnlyCodec(codec), after, upTo, positions: 'with gaps', onFault });
    return { reached: () => done, stop: () => done };
  };

/** Changes the data of a stream from a revision on. Recomputes the hashes, as an attacker who knows the algorithm could. */
export const rewriteChain = async (
  log: AuditedLog,
  stream: string,
  from: number,
  change: (data: unknown, revision: number) => unknown,
): Promise<void> => {
  const own = log.events.filter((event) => event.stream === stream);
  const now = log.clock.now();
  let hash = from === 0 ? '' : log.codec.hashOf(own[from - 1]);
  for (const old of own.slice(from)) {
    const { type, data, meta } = log.codec.decode(old);
    const end = { revision: old.revision === 0 ? ('none' as const) : old.revision - 1, hash };
    log.clock.set(meta.time);
    const message = { type, data: change(data, old.revision) };
    const written = await log.codec.encode(stream, end, [message], { ...meta });
    const [encoded] = written.encoded;
    ({ hash } = written.end);
    log.events = log.events.map((event) => (event === old && encoded ? { ...event, ...encoded } : event));
  }
  log.clock.set(now);
};
