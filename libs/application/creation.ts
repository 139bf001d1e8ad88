import { isRejection, rejected, type Rejection } from '../eventsourcing/decider.js';
import type { AppendedEvent } from '../eventsourcing/event-codec.js';
import type { CommandContext } from '../eventsourcing/message.js';
import type { DocumentFold } from '../eventsourcing/projection.js';
import { readEvent } from '../runtime/codec/verified-history.js';
import type { Ports } from './command-ports.js';
import type { Identity } from './identities.js';
import { commandContext, type CreationResult, type RequestContext, type View } from './request.js';
import { viewOfFirst } from './views.js';

/** What `append` has appended. */
type Appended = {
  /** The resource's first event if this call appended it. Otherwise the event is read. */
  readonly first: AppendedEvent | undefined;
  /** Default: whether `first` is absent. */
  readonly replayed?: boolean;
  /** The view if further events of the same append have changed it. */
  readonly view?: View;
};

/**
 * How a resource is created. `Reason` are the rejections of `append`, `Answer` those of `answer` and `checkReplay`.
 *
 * `operation` and `digested` are part of what is stored: the id of the resource, and the digest of the request. Never change them.
 */
export type Creation<Id extends string, Reason extends string, Answer extends string, Missing extends string> = {
  /** The operation to which an Idempotency-Key belongs. */
  readonly operation: string;
  readonly request: RequestContext;
  /** What the request asks for, without secrets. A later request with the same Idempotency-Key must have the same content. */
  readonly digested: unknown;
  readonly aggregate: { readonly category: string; readonly projection: DocumentFold & { readonly version: number } };
  /**
   * Decides and appends. A rejection `exists` means that an earlier request has created the resource.
   */
  readonly append: (identity: Identity<Id>, context: CommandContext) => Promise<Appended | Rejection<Reason>>;
  /** The rejection of `append` with which an existing resource answers. */
  readonly exists?: Reason;
  /** The rejection if the resource has no first event. */
  readonly missing: Missing;
  /** Whether `append` comes before the search for an earlier request. Saves most requests a read. */
  readonly appendsFirst?: boolean;
  /** Reads the event that created the resource. Default: the first event of its stream. */
  readonly find?: (id: Id) => Promise<AppendedEvent | null>;
  /** Returns why an earlier request cannot be answered again, or null. Called before its digest is compared. */
  readonly checkReplay?: (id: Id) => Promise<Rejection<Answer> | null>;
  /** Completes the view for the answer. Default: the view itself. */
  readonly answer?: (
    view: CreationResult,
    created: { readonly identity: Identity<Id>; readonly context: CommandContext; readonly first: AppendedEvent },
  ) => Promise<CreationResult | Rejection<Answer>>;
};

/**
 * Creates a resource once for each Idempotency-Key (contract 9): identifies it by the key, decides, appends, and answers with the
 * view after its first event, even if the resource has changed since then. A repeated request gets that view again, or the
 * rejection `idempotency_key_reused` if its content differs.
 */
export const create = async <Id extends string, Reason extends string, Answer extends string = never, Missing extends string = never>(
  ports: Ports<'identities' | 'store' | 'codec'>,
  creation: Creation<Id, Reason, Answer, Missing>,
): Promise<CreationResult | Rejection<Reason | Answer | Missing | 'idempotency_key_reused'>> => {
  const { operation, request, digested, aggregate, append, exists, missing, appendsFirst = false, checkReplay } = creation;
  const { find = (id) => readEvent(ports, `${aggregate.category}-${id}`, 0), answer = (view) => Promise.resolve(view) } = creation;
  const identity = ports.identities.of<Id>(operation, request, digested);
  const { id, bodyDigest } = identity;
  const context = commandContext(request, bodyDigest);

  const answerFor = async (first: AppendedEvent, replayed: boolean, view?: View) => {
    const obstacle = replayed ? await checkReplay?.(id) : null;
    if (obstacle) return obstacle;
    if (first.meta.bodyDigest !== bodyDigest) return rejected('idempotency_key_reused');
    return answer({ ...(view ?? viewOfFirst(aggregate.projection, first)), replayed }, { identity, context, first });
  };

  const earlier = bodyDigest !== undefined && !appendsFirst ? await find(id) : null;
  if (earlier) return answerFor(earlier, true);
  const appended = await append(identity, context);
  if (isRejection(appended) && appended.rejected !== exists) return appended;
  const { first, replayed = first === undefined, view }: Appended = isRejection(appended) ? { first: undefined } : appended;
  const created = first ?? (await find(id));
  return created ? answerFor(created, replayed, view) : rejected(missing);
};
