import type { Decider } from '../decider.js';
import type { AppendedEvent, EventCodec, StreamEnd } from '../event-codec.js';
import type { Message } from '../message.js';
import type { DocumentFold } from '../projection.js';
import { NO_DOCUMENT, foldEvent, hasSkipped, type FoldedDocument } from './folded-document.js';

/** The type of an aggregate: the category of its streams, its rules, and its read model if it has one. */
export type Aggregate<State, Command extends Message, Event extends Message, Reason extends string> = {
  readonly category: string;
  readonly decider: Decider<State, Command, Event, Reason>;
  readonly projection?: DocumentFold & { readonly version: number };
  /** Raised when the shape of the state changes, so that no snapshot of an earlier shape is used. Absent: no snapshots. */
  readonly stateVersion?: number;
};

/** The state of every aggregate contains its tenant, which is null before the first event. */
export type TenantScoped = { readonly tenant: string | null };

/** A folded stream: the state for decisions, and the document for responses. */
export type LoadedStream<State> = { readonly state: State; readonly folded: FoldedDocument; readonly end: StreamEnd };

/** The result of a command: the events that it added, none if there was nothing to do. */
export type CommandResult<State, Event extends Message> = LoadedStream<State> & { readonly events: readonly AppendedEvent<Event>[] };

/** Returns the revision of a stream's last event, or -1 for an empty stream. */
export const revisionNumber = ({ revision }: StreamEnd): number => (revision === 'none' ? -1 : revision);

/** Returns the fold of a stream without events. */
export const emptyStream = <S, C extends Message, E extends Message, R extends string>(
  aggregate: Aggregate<S, C, E, R>,
): LoadedStream<S> => ({
  state: aggregate.decider.initial,
  folded: NO_DOCUMENT,
  end: { revision: 'none', hash: '' },
});

/** Applies the next event of a stream to its fold. The end of the fold stays, so the caller must replace it. */
export const evolve = <S, C extends Message, E extends Message, R extends string>(
  { decider, projection }: Aggregate<S, C, E, R>,
  { state, folded, end }: LoadedStream<S>,
  event: AppendedEvent<E>,
): LoadedStream<S> => ({
  state: decider.evolve(state, event, event.meta),
  folded: projection ? foldEvent(projection, folded, event) : folded,
  end,
});

/** Returns whether a stored or cached fold of a stream leaves out the events that are skipped now. */
export const leavesOutSkipped = (
  codec: Pick<EventCodec, 'skippedRevisions'>,
  { projection }: Pick<Aggregate<unknown, Message, Message, string>, 'projection'>,
  stream: string,
  { folded, end }: LoadedStream<unknown>,
): boolean => projection === undefined || hasSkipped(folded, codec.skippedRevisions(projection.name, stream), revisionNumber(end));
