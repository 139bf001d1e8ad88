import type { Type } from '@nestjs/common';
import type { Command, CommandBus, ICommandHandler } from '@nestjs/cqrs';
import type { DeliveryCommand } from '../deliveries/delivery.js';
import type { AdoptionCommand } from '../domain/adoptions/adoption.decider.js';
import type { OrderCommand } from '../domain/orders/order.decider.js';
import { rejected, type Rejection } from '../eventsourcing/decider.js';
import type { Message } from '../eventsourcing/message.js';
import type { Execute } from '../eventsourcing/process.js';
import type { LoadedStream } from '../eventsourcing/streams/aggregate.js';
import type { ProcessCommand } from '../processes/process-command.js';
import {
  approveAdoption,
  ApproveAdoption,
  createAdoption,
  CreateAdoption,
  deleteAdoption,
  DeleteAdoption,
  issueManageToken,
  IssueManageToken,
  rejectAdoption,
  RejectAdoption,
  withdrawAdoption,
  WithdrawAdoption,
} from './adoptions/adoption.commands.js';
import { freePetIfEnded, holdPet } from './adoptions/hold-pet.js';
import { forgetApplicant } from './adoptions/open-adoption.js';
import { ADOPTIONS, ORDERS, PAYMENTS, PETS, WEBHOOKS } from './aggregates.js';
import { makeCheckpoint, MakeCheckpoint } from './audit/checkpoint.commands.js';
import { beginExport, BeginExport } from './audit/export.commands.js';
import type { CommandPorts } from './command-ports.js';
import {
  by,
  handlerOf,
  messageClass,
  request,
  to,
  type ProcessMessage,
  type ProcessRoute,
  type RequestRoute,
  type Row,
} from './command-routes.js';
import { redeliver, Redeliver, redeliverSince, RedeliverSince, sendTest, SendTest } from './deliveries/delivery.commands.js';
import { removeSigningKey, RemoveSigningKey, rotateKey, RotateKey } from './keys/key.commands.js';
import { rotateClientSecret, RotateClientSecret } from './oauth/client-secrets.js';
import { addClient, AddClient, changeClient, ChangeClient, removeClient, RemoveClient } from './oauth/client.commands.js';
import {
  dropFill,
  DropFill,
  rebuildProjection,
  RebuildProjection,
  settleFills,
  switchProjection,
  SwitchProjection,
  type SettleFills,
} from './operations/fill.commands.js';
import { pauseProjection, PauseProjection } from './operations/projection.commands.js';
import { redeliverForOperator, RedeliverForOperator } from './operations/redelivery.commands.js';
import { retryParked, RetryParked } from './operations/parked.commands.js';
import { skipEvent, SkipEvent, unskipEvent, UnskipEvent } from './operations/skip.commands.js';
import {
  createOrder,
  CreateOrder,
  deleteOrder,
  DeleteOrder,
  deliverOrder,
  DeliverOrder,
  requestCallback,
  RequestCallback,
  shipOrder,
  ShipOrder,
} from './orders/order.commands.js';
import { chargePayment, createOrderPayment, CreateOrderPayment, refundPayment } from './payments/payment.commands.js';
import {
  changePet,
  ChangePet,
  createPet,
  CreatePet,
  deleteImage,
  deletePet,
  DeletePet,
  removePetPhoto,
  RemovePetPhoto,
  updatePet,
  UpdatePet,
  uploadPetPhoto,
  UploadPetPhoto,
} from './pets/pet.commands.js';
import type { RequestName } from './request.js';
import { recordSecurityEvent, RecordSecurityEvent } from './security/security.commands.js';
import { endAccountTokens } from './sessions/end-tokens.js';
import { endPermittedSession, EndSession, startSession, StartSession } from './sessions/session.commands.js';
import { forgetPerson } from './users/forget-person.js';
import { createUsers, CreateUsers } from './users/lists/create-users.js';
import { settleUserList, type SettleUserList } from './users/lists/settle-user-list.js';
import {
  changeAccountStatus,
  ChangeAccountStatus,
  createUser,
  CreateUser,
  deleteUser,
  DeleteUser,
  updateUser,
  UpdateUser,
} from './users/user.commands.js';
import { viewAfter } from './views.js';
import {
  createWebhook,
  CreateWebhook,
  deleteWebhook,
  DeleteWebhook,
  rotateSecret,
  RotateSecret,
  updateWebhook,
  UpdateWebhook,
} from './webhooks/webhook.commands.js';

/** A command that no request sends. Its cause is an event, the response of a receiver, or the clock. */
type InternalCommand =
  | ProcessCommand
  | DeliveryCommand
  | SettleUserList
  | SettleFills
  | Extract<OrderCommand, { type: 'ExpireOrder' }>
  | Extract<AdoptionCommand, { type: 'ExpireAdoption' }>;

type Folded = Pick<LoadedStream<unknown>, 'folded'>;
const nothing = (): null => null;
const petView = (id: string, changed: Folded) => viewAfter(PETS, id, changed) ?? rejected('pet_not_found');
const orderView = (id: string, changed: Folded) => viewAfter(ORDERS, id, changed) ?? rejected('order_not_found');
const orderId = (data: { readonly orderId: string }): string => data.orderId;
const petId = (data: { readonly petId: string }): string => data.petId;
const adoptionId = (data: { readonly adoptionId: string }): string => data.adoptionId;

/**
 * Where each command goes: to one aggregate (`by` for a request, `to` for a process), or to a function that spans streams or
 * calls a port. `request` is the way of a request, `process` that of a process, a receiver or the clock. What may reject a command
 * is in the type of its class, and is decided in the decider of its aggregate; a conflict is decided again (libs/eventsourcing/handle.ts); two requests with one
 * Idempotency-Key create one resource (creation.ts).
 */
const COMMANDS = {
  // Pets
  CreatePet: { request: request(CreatePet, createPet) },
  UpdatePet: { request: request(UpdatePet, by(PETS, updatePet, petView)) },
  ChangePet: { request: request(ChangePet, changePet) },
  DeletePet: { request: request(DeletePet, by(PETS, deletePet, nothing)) },
  UploadPetPhoto: { request: request(UploadPetPhoto, uploadPetPhoto) },
  RemovePetPhoto: { request: request(RemovePetPhoto, removePetPhoto) },
  DeleteImage: { process: (ports, { data }) => deleteImage(ports, data) },
  ReleasePet: { process: to(PETS, petId) },
  AdoptPet: { process: to(PETS, petId) },
  HoldPetForAdoption: { process: ({ aggregates }, { data }, context) => holdPet(aggregates, data, context) },
  FreePetFromAdoption: { process: to(PETS, petId) },
  FreePetIfEnded: { process: ({ aggregates }, { data }, context) => freePetIfEnded(aggregates, data, context) },
  AdoptPetByApplication: { process: to(PETS, petId) },

  // Orders
  CreateOrder: { request: request(CreateOrder, createOrder), process: to(ORDERS, orderId) },
  DeleteOrder: { request: request(DeleteOrder, by(ORDERS, deleteOrder, nothing)) },
  ShipOrder: { request: request(ShipOrder, by(ORDERS, shipOrder, orderView)) },
  DeliverOrder: { request: request(DeliverOrder, by(ORDERS, deliverOrder, orderView)) },
  FailOrderPayment: { process: to(ORDERS, orderId) },
  ApproveOrder: { process: to(ORDERS, orderId) },
  RecordOrderRefund: { process: to(ORDERS, orderId) },
  ExpireOrder: { process: to(ORDERS, orderId) },
  RequestCallback: { request: request(RequestCallback, requestCallback) },
  EndOrderCallback: { process: to(ORDERS, orderId) },

  // Payments
  CreateOrderPayment: { request: request(CreateOrderPayment, createOrderPayment) },
  CreatePayment: { process: to(PAYMENTS, ({ paymentId }) => paymentId) },
  // A process does not call the gateway itself: it adds work to a queue (payments/gateway-calls.ts), which runs these two.
  ChargePayment: { process: (ports, { data }, context) => chargePayment(ports, data, context) },
  RefundPayment: { process: (ports, { data }, context) => refundPayment(ports, data, context) },

  // Adoptions
  CreateAdoption: { request: request(CreateAdoption, createAdoption) },
  ApproveAdoption: { request: request(ApproveAdoption, approveAdoption), process: to(ADOPTIONS, adoptionId) },
  RejectAdoption: { request: request(RejectAdoption, rejectAdoption), process: to(ADOPTIONS, adoptionId) },
  WithdrawAdoption: { request: request(WithdrawAdoption, withdrawAdoption) },
  ExpireAdoption: { process: to(ADOPTIONS, adoptionId) },
  DeleteAdoption: { request: request(DeleteAdoption, deleteAdoption) },
  ForgetApplicant: { process: (ports, { data }) => forgetApplicant(ports, data.adoptionId) },
  IssueManageToken: { request: request(IssueManageToken, issueManageToken) },

  // Accounts and their sessions
  CreateUser: { request: request(CreateUser, createUser) },
  CreateUsers: { request: request(CreateUsers, createUsers) },
  SettleUserList: { process: (ports, { data }, context) => settleUserList(ports, data.listId, context) },
  UpdateUser: { request: request(UpdateUser, updateUser) },
  DeleteUser: { request: request(DeleteUser, deleteUser) },
  ForgetPerson: { process: (ports, { data }, context) => forgetPerson(ports, data, context) },
  ChangeAccountStatus: { request: request(ChangeAccountStatus, changeAccountStatus) },
  StartSession: { request: request(StartSession, startSession) },
  EndSession: { request: request(EndSession, endPermittedSession) },
  EndAccountTokens: { process: (ports, { data }, context) => endAccountTokens(ports, data, context) },

  // Webhooks and their deliveries
  CreateWebhook: { request: request(CreateWebhook, createWebhook) },
  UpdateWebhook: { request: request(UpdateWebhook, updateWebhook) },
  DeleteWebhook: { request: request(DeleteWebhook, deleteWebhook) },
  DisableWebhook: { process: to(WEBHOOKS, ({ webhookId }) => webhookId) },
  RotateSecret: { request: request(RotateSecret, rotateSecret) },
  Redeliver: { request: request(Redeliver, redeliver) },
  RedeliverSince: { request: request(RedeliverSince, redeliverSince) },
  SendTest: { request: request(SendTest, sendTest) },

  // What operators decide
  RedeliverForOperator: { request: request(RedeliverForOperator, redeliverForOperator) },
  RetryParked: { request: request(RetryParked, retryParked) },
  SkipEvent: { request: request(SkipEvent, skipEvent) },
  UnskipEvent: { request: request(UnskipEvent, unskipEvent) },
  PauseProjection: { request: request(PauseProjection, pauseProjection) },
  RebuildProjection: { request: request(RebuildProjection, rebuildProjection) },
  SwitchProjection: { request: request(SwitchProjection, switchProjection) },
  DropFill: { request: request(DropFill, dropFill) },
  SettleFills: { process: (ports) => settleFills(ports) },

  // OAuth clients, keys and the audit
  AddClient: { request: request(AddClient, addClient) },
  ChangeClient: { request: request(ChangeClient, changeClient) },
  RotateClientSecret: { request: request(RotateClientSecret, rotateClientSecret) },
  RemoveClient: { request: request(RemoveClient, removeClient) },
  RotateKey: { request: request(RotateKey, rotateKey) },
  RemoveSigningKey: { request: request(RemoveSigningKey, removeSigningKey) },
  MakeCheckpoint: { request: request(MakeCheckpoint, makeCheckpoint) },
  BeginExport: { request: request(BeginExport, beginExport) },
  RecordSecurityEvent: { request: request(RecordSecurityEvent, recordSecurityEvent) },
} satisfies { readonly [Name in RequestName | InternalCommand['type']]: Row<Name, InternalCommand> };

type AnyRow = { readonly request?: RequestRoute<Command<unknown>>; readonly process?: ProcessRoute<Message> };

const rows = Object.entries(COMMANDS as unknown as Readonly<Record<string, AnyRow>>);

/** The classes with which the bus carries the commands of processes, by their types. */
const MESSAGES = Object.fromEntries(rows.flatMap(([name, { process }]) => (process ? [[name, messageClass(name)]] : []))) as Readonly<
  Record<InternalCommand['type'], Type<ProcessMessage>>
>;

const handlersOf = ([name, row]: (typeof rows)[number]): readonly Type<ICommandHandler>[] => {
  const handlers: Type<ICommandHandler>[] = [];
  if (row.request) handlers.push(handlerOf(row.request.command, row.request.run));
  if (row.process) handlers.push(handlerOf(MESSAGES[name as InternalCommand['type']], runProcess(row.process)));
  return handlers;
};

/** Runs a command of a process. Returns its rejection, or null if it was accepted. */
const runProcess =
  (route: ProcessRoute<Message>) =>
  async (ports: CommandPorts, { command, context }: ProcessMessage): Promise<null | Rejection> =>
    (await route(ports, command, context)) ?? null;

/** The command handlers of the application: one for each way of each row. */
export const COMMAND_HANDLERS: readonly Type<ICommandHandler>[] = rows.flatMap(handlersOf);

/** Returns a function that runs commands of processes, receivers and the clock on the command bus. */
export const executeWith =
  (bus: CommandBus): Execute<InternalCommand> =>
  (command, context) =>
    bus.execute(new MESSAGES[command.type](command, context));
