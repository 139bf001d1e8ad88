import { hash } from 'node:crypto';
import { canonicalJson } from '../../eventsourcing/canonical-json.js';
import type { Clock } from '../../eventsourcing/ports/clock.port.js';
import type { EncodedEvent, StoredEvent } from '../../eventsourcing/ports/event-store.port.js';
import { NONE_SKIPPED, type AppendedEvent, type EventCodec, type SkippedEvents, type StreamEnd } from '../../eventsourcing/event-codec.js';
import { BrokenHistory, type HistoryFault } from '../../eventsourcing/history.js';
import type { Ids } from '../../eventsourcing/ports/ids.port.js';
import type { KeyVault } from '../../eventsourcing/ports/key-vault.port.js';
import type { CommandContext, Message, RecordedEvent } from '../../eventsourcing/message.js';
import { reasonOf } from '../../eventsourcing/reason.js';
import type { PersonalFields } from '../../eventsourcing/sealed.js';
import { sealPaths } from './sealing.js';

/** The declaration of an event type: its schema version, its personal fields and its upcasters. */
export type EventDeclaration = {
  readonly schemaVersion: number;
  readonly personal?: PersonalFields;
  /** `upcasters[1]` converts data of version 1 to version 2. */
  readonly upcasters: Readonly<Record<number, (data: never) => unknown>>;
};

/** The metadata of a stored event. Names with `$` are those of EventStoreDB. */
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
  readonly traceparent?: string;
};

/**
 * Creates the codec, which converts between stored and domain events. If the type of an event is not declared, `encode`
 * rejects, and `decode` throws BrokenHistory.
 */
export const createCodec = (
  declarations: Readonly<Record<string, EventDeclaration>>,
  {
    keys,
    ids,
    clock,
    skipped = NONE_SKIPPED,
  }: { readonly keys: KeyVault; readonly ids: Ids; readonly clock: Clock; readonly skipped?: SkippedEvents },
): EventCodec => {
  return {
    async encode(stream, end, events, context) {
      const sealed: SealedEvent[] = [];
      for (const { type, data } of events) {
        const { schemaVersion, personal } = declarationOf(declarations, type);
        const id = ids.next();
        const subject = { stream, tenant: context.tenant, nonce: id };
        sealed.push({ id, type, schemaVersion, data: personal ? await sealPaths(keys, personal, data, subject) : data });
      }
      // The clock is read after the last `await`. So a call that waits long for its keys gets a later time than the calls
      // that overtake it.
      return chainEvents(stream, end, sealed, clock.now().toISOString(), context);
    },

    decode(event): RecordedEvent {
      try {
        return decodeWith(declarationOf(declarations, event.type), event, skipped.skippedBy(event));
      } catch (error) {
        throw unreadable(event, error);
      }
    },

    verify(event, previousHash) {
      const hashes = verifiedHashes(event);
      if (hashes.previousHash !== previousHash) throw altered(event, 'does not follow the event before it');
      return hashes.hash;
    },
    hashOf: (event) => verifiedHashes(event).hash,
    skippedRevisions: (name, stream) => skipped.skippedRevisions(name, stream),
  };
};

/** An event whose personal fields are encrypted. */
type SealedEvent = Message & { readonly id: string; readonly schemaVersion: number };

/** Writes the metadata of events, and adds the events to the hash chain of their stream. */
const chainEvents = (
  stream: string,
  end: StreamEnd,
  events: readonly SealedEvent[],
  time: string,
  context: CommandContext,
): Awaited<ReturnType<EventCodec['encode']>> => {
  const encoded: EncodedEvent[] = [];
  const recorded: AppendedEvent[] = [];
  let last: StreamEnd = end;
  for (const { id, type, schemaVersion, data } of events) {
    const revision: number = last.revision === 'none' ? 0 : last.revision + 1;
    const text = canonicalJson(data);
    const written = writeMetadata({ stream, revision, id, type, data: text }, schemaVersion, last.hash, time, context);
    encoded.push({ id, type, data: text, metadata: written.metadata });
    recorded.push({ id, type, data, meta: { ...context, stream, revision, time } });
    last = { revision, hash: written.hash };
  }
  return { encoded, recorded, end: last };
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

/** Returns the fault of a stream that lacks an event although the event was recorded. */
export const missingEventFault = (stream: string, revision: number, reason: string): HistoryFault => ({
  stream,
  revision,
  kind: 'altered',
  reason: `event ${revision} of ${stream} is missing: ${reason}`,
  tenant: null,
});

/** The hash of an event, and the hash of the previous event in its stream. */
type ChainHashes = { readonly hash: string; readonly previousHash: string };

/**
 * Verifies an event's hash. Returns this hash and the hash of the previous event, both from the metadata. The hashes are cut
 * out of the text of the metadata, because parsing the metadata would double the time of the verification. It is parsed only if
 * the text contains no matching hash where canonical JSON has one.
 */
const verifiedHashes = (event: StoredEvent): ChainHashes => {
  const hashes = hashesFromText(event) ?? hashesFromJson(event);
  if (!hashes) throw altered(event, 'does not match its hash');
  return hashes;
};

const HASH = ',"hash":"';

/** Cuts the hash out of the text of the metadata. Returns null if the hash is not found, or if the event does not match it. */
const hashesFromText = (event: StoredEvent): ChainHashes | null => {
  const { metadata } = event;
  const from = metadata.indexOf(HASH);
  const to = metadata.indexOf('"', from + HASH.length);
  if (from < 0 || to < 0) return null;
  const unhashed = metadata.slice(0, from) + metadata.slice(to + 1);
  const hash = metadata.slice(from + HASH.length, to);
  const schemaVersion = Number(substringBetween(unhashed, ',"schemaVersion":', ','));
  if (digest(event, schemaVersion, unhashed) !== hash) return null;
  return { hash, previousHash: substringBetween(unhashed, ',"previousHash":"', '"') };
};

const substringBetween = (text: string, before: string, after: string): string => {
  const from = text.indexOf(before) + before.length;
  return text.slice(from, text.indexOf(after, from));
};

const hashesFromJson = (event: StoredEvent): ChainHashes | null => {
  try {
    const { hash: recorded, ...unhashed } = JSON.parse(event.metadata) as Metadata;
    const expected = digest(event, unhashed.schemaVersion, canonicalJson(unhashed));
    return recorded === expected ? { hash: recorded, previousHash: unhashed.previousHash } : null;
  } catch {
    return null;
  }
};

const decodeWith = (
  { upcasters, schemaVersion }: EventDeclaration,
  event: StoredEvent,
  skippedBy: readonly string[] | undefined,
): RecordedEvent => {
  const metadata = JSON.parse(event.metadata) as Metadata;
  if (metadata.schemaVersion > schemaVersion)
    throw new Error(
      `${event.type} has schema version ${metadata.schemaVersion}, but this software knows only up to ${schemaVersion}: written by a newer version?`,
    );
  let data: unknown = JSON.parse(event.data);
  for (let version = metadata.schemaVersion; version < schemaVersion; version++) {
    const upcast = upcasters[version];
    if (!upcast) throw new Error(`${event.type} has no upcaster from version ${version}`);
    data = upcast(data as never);
  }
  return { id: event.id, position: event.position, type: event.type, data, meta: metaOf(event, metadata, skippedBy) };
};

const metaOf = (event: StoredEvent, metadata: Metadata, skippedBy: readonly string[] | undefined): RecordedEvent['meta'] => ({
  stream: event.stream,
  revision: event.revision,
  tenant: metadata.tenant,
  time: metadata.time,
  actor: metadata.actor,
  correlationId: metadata.$correlationId,
  causationId: metadata.$causationId,
  ...(metadata.bodyDigest && { bodyDigest: metadata.bodyDigest }),
  ...(metadata.requestId && { requestId: metadata.requestId }),
  ...(metadata.traceparent && { traceparent: metadata.traceparent }),
  ...(skippedBy && { skippedBy }),
});

type HashInput = {
  readonly stream: string;
  readonly revision: number;
  readonly id: string;
  readonly type: string;
  /** Canonical JSON, as stored. */
  readonly data: string;
};

/**
 * Encodes an event as canonical JSON (RFC 8785), and returns the SHA-256 of this JSON as base64url. `metadata` is the text of
 * the metadata without its member `hash`.
 */
const digest = ({ stream, revision, id, type, data }: HashInput, schemaVersion: number, metadata: string): string =>
  hash(
    'sha256',
    `{"data":${data},"id":"${id}","metadata":${metadata},"revision":${revision},"schemaVersion":${schemaVersion},"stream":${JSON.stringify(stream)},"type":"${type}"}`,
    'base64url',
  );

/**
 * Writes the metadata as canonical JSON. The order of the members is fixed here, because sorting would take
 * time for every event.
 */
const writeMetadata = (
  event: HashInput,
  schemaVersion: number,
  previousHash: string,
  time: string,
  context: CommandContext,
): { metadata: string; hash: string } => {
  const { causationId, correlationId, actor, bodyDigest, requestId, tenant, traceparent } = context;
  const head = `{"$causationId":${JSON.stringify(causationId)},"$correlationId":${JSON.stringify(correlationId)},"actor":${JSON.stringify(actor)}${member('bodyDigest', bodyDigest)}`;
  const tail = `,"previousHash":"${previousHash}"${member('requestId', requestId)},"schemaVersion":${schemaVersion},"tenant":"${tenant}","time":"${time}"${member('traceparent', traceparent)}}`;
  const sum = digest(event, schemaVersion, head + tail);
  return { metadata: `${head},"hash":"${sum}"${tail}`, hash: sum };
};

const member = (name: string, value: string | undefined): string => (value === undefined ? '' : `,"${name}":${JSON.stringify(value)}`);

const TRACEPARENT = ',"traceparent":"';

/**
 * Returns the traceparent in the metadata of an event. Parsing the metadata would slow down each append. So the traceparent is
 * cut out of the text: it is the last member, and only a quotation mark and a brace follow it.
 */
export const traceparentIn = ({ metadata }: Pick<EncodedEvent, 'metadata'>): string | undefined => {
  const from = metadata.lastIndexOf(TRACEPARENT);
  return from < 0 ? undefined : metadata.slice(from + TRACEPARENT.length, -2);
};

/** Casts a recorded event to the type of one aggregate's events, without a check. */
export const eventOf = <E extends Message>(event: RecordedEvent): RecordedEvent<E> => event as unknown as RecordedEvent<E>;
