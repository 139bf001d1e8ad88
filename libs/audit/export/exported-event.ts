import { canonicalJson } from '../../eventsourcing/canonical-json.js';
import type { StoredEvent } from '../../eventsourcing/ports/event-store.port.js';
import { leafHash } from '../proof/log-digest.js';
import { sha256Text } from '../proof/primitives.js';

type ExportedMetadata = {
  readonly hash: string;
  readonly previousHash: string;
  readonly schemaVersion: number;
  readonly tenant: string;
  readonly time: string;
};

/** An event of an export, as stored: personal values are encrypted. docs/audit.md describes every byte. */
export type ExportedEvent = {
  readonly data: unknown;
  readonly id: string;
  readonly metadata: ExportedMetadata;
  /** The number of the event in the log, from 1. */
  readonly number: number;
  readonly revision: number;
  readonly stream: string;
  readonly type: string;
};

/** Converts an event of the log for an export. Returns null if data or metadata is not JSON, or if the hash does not match. */
export const exportedEvent = ({ data, id, metadata, revision, stream, type }: StoredEvent, number: number): ExportedEvent | null => {
  const event = { data: parse(data), id, metadata: parse(metadata), number, revision, stream, type };
  return isEvent(event) && hasOwnHash(event) ? event : null;
};

/** Returns the event in a line of events.ndjson, or null if the line is not the canonical JSON of an event. */
export const readLine = (line: string): ExportedEvent | null => {
  const event = parse(line);
  return isEvent(event) && canonicalJson(event) === line ? event : null;
};

/** Returns whether an event matches the hash in its metadata (contract 23.4). */
export const hasOwnHash = ({ data, id, metadata: { hash: own, ...metadata }, revision, stream, type }: ExportedEvent): boolean =>
  sha256Text(canonicalJson({ data, id, metadata, revision, schemaVersion: metadata.schemaVersion, stream, type })) === own;

/** Returns the hash of an event's leaf. */
export const leafOf = ({ metadata, number, revision, stream }: ExportedEvent): Uint8Array =>
  leafHash({ number, stream, revision, hash: metadata.hash });

const parse = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

const isEvent = (value: unknown): value is ExportedEvent => {
  if (typeof value !== 'object' || value === null) return false;
  const { data, metadata, number, revision, stream } = value as Partial<ExportedEvent>;
  if (data === undefined || typeof metadata !== 'object' || metadata === null) return false;
  const texts = [stream, metadata.hash, metadata.previousHash, metadata.tenant, metadata.time];
  return typeof number === 'number' && typeof revision === 'number' && texts.every((text) => typeof text === 'string');
};
