import type { StoredDocument } from '../../eventsourcing/ports/documents.port.js';
import type { KeyVault } from '../../eventsourcing/ports/key-vault.port.js';
import type { RecordedEvent } from '../../eventsourcing/message.js';
import type { DocumentStep } from '../../runtime/projecting/document-from-log.js';
import { changesBetween, openJson, shownValue, type FieldChange, type OpenedValue } from './shown-values.js';

/** An event as an auditor sees it. It has no position, which would show how much other tenants write (contract 6.2). */
export type ShownEvent = {
  readonly id: string;
  readonly stream: string;
  /** The number of the event in its stream, from 0. */
  readonly revision: number;
  readonly type: string;
  readonly time: string;
  readonly actor: string;
  /** The name of the program that caused the event. */
  readonly actorName?: string;
  readonly tenant: string;
  readonly requestId?: string;
  readonly correlationId: string;
  readonly causationId: string;
  /** The read models and consumers that leave the event out. Absent: none. */
  readonly skippedBy?: readonly string[];
  readonly data: unknown;
};

/** An event with the changes that it made to its resource, in the form in which the API shows the resource. */
export type EventWithChanges = ShownEvent & { readonly changes: readonly FieldChange[] };

/** Whether a caller may see personal values, the keys that decrypt these values, and the names of programs. */
export type Visibility = {
  readonly keys: KeyVault;
  readonly isPersonalShown: boolean;
  /** Returns the name of the program with a subject, or null. */
  readonly programName: (subject: string) => Promise<string | null>;
};

/** Returns the event as an auditor sees it. */
export const shownEvent = async (event: RecordedEvent, { keys, isPersonalShown, programName }: Visibility): Promise<ShownEvent> => {
  const { stream, revision, time, actor, tenant, requestId, correlationId, causationId, skippedBy } = event.meta;
  const data = shownValue(await openJson(keys, JSON.stringify(withoutReference(event))), isPersonalShown);
  const actorName = await programName(causeOf(event.type, actor, data));
  return {
    id: event.id,
    stream,
    revision,
    type: event.type,
    time,
    actor,
    ...(actorName !== null && { actorName }),
    tenant,
    ...(requestId !== undefined && { requestId }),
    correlationId,
    causationId,
    ...(skippedBy && { skippedBy }),
    data,
  };
};

/** Returns the subject that caused an event. Only the data of a security event name it, and not if personal values are withheld. */
const causeOf = (type: string, actor: string, data: unknown): string => {
  const cause = type === 'SecurityEventRecorded' ? (data as { readonly actor?: unknown }).actor : actor;
  return typeof cause === 'string' ? cause : '';
};

/** Returns an event with the changes from the document before it to the document after it. */
export const eventWithChanges = async ({ event, before, after }: DocumentStep, visibility: Visibility): Promise<EventWithChanges> => {
  const open = async (document: StoredDocument | null): Promise<OpenedValue | null> => document && openJson(visibility.keys, document.json);
  const changes = changesBetween(await open(before), await open(after), visibility.isPersonalShown);
  return { ...(await shownEvent(event, visibility)), changes };
};

const WITH_REFERENCE: ReadonlySet<string> = new Set(['OrderPaymentStarted', 'PaymentRequested']);

/** Omits the gateway's reference to a payment, which no response contains. */
const withoutReference = ({ type, data }: RecordedEvent): unknown => {
  if (!WITH_REFERENCE.has(type)) return data;
  const { reference: _, ...rest } = data as { readonly reference?: unknown };
  return rest;
};
