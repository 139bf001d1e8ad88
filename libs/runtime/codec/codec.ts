import { hash } from 'node:crypto';
import { canonicalJson } from '../../eventsourcing/canonical-json.js';
import type { Clock } from '../../eventsourcing/ports/clock.port.js';
import type { EncodedEvent, StoredEvent } from '../../eventsourcing/ports/event-store.port.js';
import type { AppendedEvent, EventCodec, StreamEnd } from '../../eventsourcing/handle.js';
import { BrokenHistory, type HistoryFault } from '../../eventsourcing/history.js';
import type { Ids } from '../../eventsourcing/ports/ids.port.js';
import type { KeyVault } from '../../eventsourcing/ports/key-vault.port.js';
import type { CommandContext, Message, RecordedEvent } from '../../eventsourcing/message.js';
import { reasonOf } from '../../eventsourcing/reason.js';
import type { PersonalFields } from '../../eventsourcing/sealed.js';
import { sealPaths } from './sealing.js';

/** What the codec must know of an event type: today's shape, how to reach it from older ones, and what in it is personal. */
export type EventDeclaration = {
  readonly schemaVersion: number;
  readonly personal?: PersonalFields;
  /** `upcasters[1]` lifts data of version 1 to version 2. */
  readonly upcasters: Readonly<Record<number, (data: never) => unknown>>;
};

type Metadata = {
  readonly $causationId: string;
  readonly $correlationId: string;
  readonly actor: string;
  readonly bodyDigest?: string;
  readonly hash: string;
  readonly previousHash: string;
  readonly requestId?: string;
  readonly schemaVersion: number;
  readonly tenant: string;
  readonly time: string;
};

/**
 * The only door between stored and domain events. Encoding seals personal fields and chains hashes; decoding upcasts.
 * Event types must be in `declarations`: one that is not cannot be written, and reading one throws BrokenHistory, which names it.
 */
export const createCodec = (
  declarations: Readonly<Record<string, EventDeclaration>>,
  { keys, ids, clock }: { readonly keys: KeyVault; readonly ids: Ids; readonly clock: Clock },
): EventCodec => {
  return {
    async encode(stream, end, events, context) {
      const time = clock.now().toISOString();
      const encoded: EncodedEvent[] = [];
      const recorded: AppendedEvent[] = [];
      let last: StreamEnd = end;
      for (const event of events) {
        const { schemaVersion, personal } = declarationOf(declarations, event.type);
        const id = ids.next();
        const data = personal ? await sealPaths(keys, personal, event.data, { stream, tenant: context.tenant, nonce: id }) : event.data;
        const revision: number = last.revision === 'none' ? 0 : last.revision + 1;
        const text = canonicalJson(data);
        const sealed = sealMetadata({ stream, revision, id, type: event.type, data: text }, schemaVersion, last.hash, time, context);
        encoded.push({ id, type: event.type, data: text, metadata: sealed.metadata });
        recorded.push({ id, type: event.type, data, meta: { ...context, stream, revision, time } });
        last = { revision, hash: sealed.hash };
      }
      return { encoded, recorded, end: last };
    },

    decode(event): RecordedEvent {
      try {
        return decodeBy(declarationOf(declarations, event.type), event);
      } catch (error) {
        throw unreadable(event, error);
      }
    },

    verify(event, previousHash) {
      const seal = sealOf(event);
      if (seal.previousHash !== previousHash) throw altered(event, 'does not follow the event before it');
      return seal.hash;
    },
    hashOf: (event) => sealOf(event).hash,
  };
};

const declarationOf = (declarations: Readonly<Record<string, EventDeclaration>>, type: string): EventDeclaration => {
  const declaration = declarations[type];
  if (!declaration) throw new Error(`unknown event type ${type}: written by a newer version?`);
  return declaration;
};

const unreadable = ({ type, stream, revision, position }: StoredEvent, cause: unknown): BrokenHistory => {
  const reason = `event ${revision} of ${stream}, a ${type} at position ${position}, cannot be read: ${reasonOf(cause)}`;
  return new BrokenHistory({ stream, revision, kind: 'unreadable', reason, tenant: null }, { cause });
};

const altered = ({ stream, revision }: StoredEvent, how: string): BrokenHistory =>
  new BrokenHistory({ stream, revision, kind: 'altered', reason: `event ${revision} of ${stream} ${how}`, tenant: null });

/** The end of a stream that lacks events which were once recorded. */
export const cutShort = (stream: string, revision: number, reason: string): HistoryFault => ({
  stream,
  revision,
  kind: 'altered',
  reason: `event ${revision} of ${stream} is missing: ${reason}`,
  tenant: null,
});

type Seal = { readonly hash: string; readonly previousHash: string };

/** The hashes that an event bears, once its own is seen to match; the text that was written is tried first, since parsing costs twice as much. */
const sealOf = (event: StoredEvent): Seal => {
  const seal = sealAsWritten(event) ?? sealAsParsed(event);
  if (!seal) throw altered(event, 'does not match its hash');
  return seal;
};

const HASH = ',"hash":"';

const sealAsWritten = (event: StoredEvent): Seal | null => {
  const { metadata } = event;
  const from = metadata.indexOf(HASH);
  const to = metadata.indexOf('"', from + HASH.length);
  if (from < 0 || to < 0) return null;
  const unhashed = metadata.slice(0, from) + metadata.slice(to + 1);
  const hash = metadata.slice(from + HASH.length, to);
  const schemaVersion = Number(between(unhashed, ',"schemaVersion":', ','));
  if (digest(event, schemaVersion, unhashed) !== hash) return null;
  return { hash, previousHash: between(unhashed, ',"previousHash":"', '"') };
};

const between = (text: string, before: string, after: string): string => {
  const from = text.indexOf(before) + before.length;
  return text.slice(from, text.indexOf(after, from));
};

const sealAsParsed = (event: StoredEvent): Seal | null => {
  try {
    const { hash: recorded, ...unhashed } = JSON.parse(event.metadata) as Metadata;
    const expected = digest(event, unhashed.schemaVersion, canonicalJson(unhashed));
    return recorded === expected ? { hash: recorded, previousHash: unhashed.previousHash } : null;
  } catch {
    return null;
  }
};

const decodeBy = ({ upcasters, schemaVersion }: EventDeclaration, event: StoredEvent): RecordedEvent => {
  const metadata = JSON.parse(event.metadata) as Metadata;
  if (metadata.schemaVersion > schemaVersion)
    throw new Error(
      `${event.type} is of schema version ${metadata.schemaVersion}, this version knows up to ${schemaVersion}: written by a newer version?`,
    );
  let data: unknown = JSON.parse(event.data);
  for (let version = metadata.schemaVersion; version < schemaVersion; version++) {
    const upcast = upcasters[version];
    if (!upcast) throw new Error(`${event.type} has no upcaster from version ${version}`);
    data = upcast(data as never);
  }
  return { id: event.id, position: event.position, type: event.type, data, meta: metaOf(event, metadata) };
};

const metaOf = (event: StoredEvent, metadata: Metadata): RecordedEvent['meta'] => ({
  stream: event.stream,
  revision: event.revision,
  tenant: metadata.tenant,
  time: metadata.time,
  actor: metadata.actor,
  correlationId: metadata.$correlationId,
  causationId: metadata.$causationId,
  ...(metadata.bodyDigest && { bodyDigest: metadata.bodyDigest }),
  ...(metadata.requestId && { requestId: metadata.requestId }),
});

type Hashed = {
  readonly stream: string;
  readonly revision: number;
  readonly id: string;
  readonly type: string;
  /** Canonical JSON, as stored. */
  readonly data: string;
};

/** SHA-256, base64url, over the RFC 8785 text of the event with its metadata less the hash; the members are in their canonical order. */
const digest = ({ stream, revision, id, type, data }: Hashed, schemaVersion: number, metadata: string): string =>
  hash(
    'sha256',
    `{"data":${data},"id":"${id}","metadata":${metadata},"revision":${revision},"schemaVersion":${schemaVersion},"stream":${JSON.stringify(stream)},"type":"${type}"}`,
    'base64url',
  );

/** Written out in canonical order, since this runs for every event: `hash` stands after `bodyDigest`. */
const sealMetadata = (
  event: Hashed,
  schemaVersion: number,
  previousHash: string,
  time: string,
  context: CommandContext,
): { metadata: string; hash: string } => {
  const { causationId, correlationId, actor, bodyDigest, requestId, tenant } = context;
  const head = `{"$causationId":${JSON.stringify(causationId)},"$correlationId":${JSON.stringify(correlationId)},"actor":${JSON.stringify(actor)}${member('bodyDigest', bodyDigest)}`;
  const tail = `,"previousHash":"${previousHash}"${member('requestId', requestId)},"schemaVersion":${schemaVersion},"tenant":"${tenant}","time":"${time}"}`;
  const sum = digest(event, schemaVersion, head + tail);
  return { metadata: `${head},"hash":"${sum}"${tail}`, hash: sum };
};

const member = (name: string, value: string | undefined): string => (value === undefined ? '' : `,"${name}":${JSON.stringify(value)}`);

/** Narrows an event read from the log to those of one aggregate. */
export const eventOf = <E extends Message>(event: RecordedEvent): RecordedEvent<E> => event as unknown as RecordedEvent<E>;
