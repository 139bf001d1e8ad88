import { Command, type Query } from '@nestjs/cqrs';
import type { Rejection } from '../eventsourcing/decider.js';
import type { CommandContext } from '../eventsourcing/message.js';
import type { Fields } from '../eventsourcing/ports/documents.port.js';

/** The caller, the tenant and the conditions of a request. */
export type RequestContext = {
  /** A tenant's UUID, or SHARED_POOL. */
  readonly tenant: string;
  /** The token's subject, or `anonymous`. */
  readonly actor: string;
  /** Whether the caller is an operator: its token has the scope `ops`. */
  readonly isOperator?: boolean;
  readonly requestId: string;
  /** The value of Idempotency-Key, up to 255 characters. */
  readonly idempotencyKey?: string;
  /** The entity tags of If-Match without quotes, such as `3.1`. Absent without the header, and for `*` (any resource). */
  readonly ifMatch?: readonly string[];
  /** The entity tags of If-None-Match without quotes, or `any` for `*`. Absent without the header. */
  readonly ifNoneMatch?: 'any' | readonly string[];
  /** The traceparent of the span that the service started for the request. Absent without a trace. Never the caller's header. */
  readonly traceparent?: string;
};

/** A resource as a response shows it. */
export type View = {
  readonly id: string;
  /** JSON text. */
  readonly json: string;
  /** The entity tag without quotes, such as `3.1`. */
  readonly etag: string;
  /** The fields of the stored document, such as the tenant or the owner. They are not part of the response. */
  readonly fields: Fields;
};

/** The result of a creation. `replayed` is true if an earlier request with the same Idempotency-Key created the resource. */
export type CreationResult = View & { readonly replayed: boolean };

/** One page of a collection: the items' JSON texts. */
export type Page = { readonly items: readonly string[]; readonly totalItems: number };

/** Returns the context of the events that a request causes directly. */
export const commandContext = (request: RequestContext, bodyDigest?: string): CommandContext => ({
  tenant: request.tenant,
  actor: request.actor,
  correlationId: request.requestId,
  causationId: request.requestId,
  requestId: request.requestId,
  ...(bodyDigest && { bodyDigest }),
  ...(request.traceparent && { traceparent: request.traceparent }),
});

/** The rejections of a command: its own reasons, repeated conflicts, or a failed If-Match or If-None-Match. */
export type CommandRejection<Reason extends string> = Rejection<Reason | 'contended' | 'precondition_failed'>;

/** The result type of a command or query. */
export type ResultOf<R> = R extends Command<infer A> ? A : R extends Query<infer A> ? A : never;

/** The names of the commands of requests: each has a row in the table of commands (commands.ts). */
export type RequestName =
  | 'CreatePet'
  | 'UpdatePet'
  | 'ChangePet'
  | 'DeletePet'
  | 'UploadPetPhoto'
  | 'RemovePetPhoto'
  | 'CreateOrder'
  | 'DeleteOrder'
  | 'ShipOrder'
  | 'DeliverOrder'
  | 'RequestCallback'
  | 'CreateOrderPayment'
  | 'CreateAdoption'
  | 'ApproveAdoption'
  | 'RejectAdoption'
  | 'WithdrawAdoption'
  | 'DeleteAdoption'
  | 'IssueManageToken'
  | 'CreateUser'
  | 'CreateUsers'
  | 'UpdateUser'
  | 'DeleteUser'
  | 'ChangeAccountStatus'
  | 'StartSession'
  | 'EndSession'
  | 'CreateWebhook'
  | 'UpdateWebhook'
  | 'DeleteWebhook'
  | 'RotateSecret'
  | 'Redeliver'
  | 'RedeliverSince'
  | 'SendTest'
  | 'AddClient'
  | 'ChangeClient'
  | 'RotateClientSecret'
  | 'RemoveClient'
  | 'RotateKey'
  | 'RemoveSigningKey'
  | 'MakeCheckpoint'
  | 'BeginExport'
  | 'RecordSecurityEvent'
  | 'RedeliverForOperator'
  | 'RetryParked'
  | 'SkipEvent'
  | 'UnskipEvent'
  | 'PauseProjection'
  | 'RebuildProjection'
  | 'SwitchProjection'
  | 'DropFill';

/**
 * A command of a request, for the command bus. `Name` is its row in the table of commands, so that a command without a row does
 * not compile.
 */
export abstract class RequestCommand<Name extends RequestName, Answer> extends Command<Answer> {
  /** Only for the compiler: commands with the same members differ. */
  declare readonly rowName: Name;
}
