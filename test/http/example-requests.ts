import type { OperationRecord } from '../../apps/api/http/operation.js';
import { CLASSIC_OPERATIONS, OPERATIONS } from '../../apps/api/operations.js';
import type { RequestOptions } from '../servers/client.js';
import { fileUpload, PIXEL } from './image-files.js';
import { PAST, type Resource, type ResourceKind } from './resources.js';
import { APPLICANT, card, newUser, PASSWORD, PRICED_PET } from './shop.js';

/**
 * A request that succeeds for a caller with access. Its address is that of the operation, with the ids of the
 * resource.
 */
export type ExampleRequest = {
  /** The resource that the address or the body names. If undefined, the request names no resource. */
  readonly on?: ResourceKind;
  /** Ids in the address that belong to no resource. */
  readonly ids?: Readonly<Record<string, string>>;
  readonly body?: (resource: Resource) => object;
  /** The content of an upload, in place of `body`. */
  readonly upload?: RequestOptions;
  /** The query of the address. */
  readonly query?: string | ((resource: Resource) => string);
  /** The status for a caller with access; by default that of the operation. */
  readonly status?: number;
  /** The status for a caller of another tenant who names the resource; 404 by default. */
  readonly elsewhere?: number;
};

/** Every operation of the service, also those of the classic variant. */
export const ALL_OPERATIONS: readonly OperationRecord[] = [...Object.values(OPERATIONS), ...Object.values(CLASSIC_OPERATIONS)];

const NOBODY = 'http://127.0.0.1:1/nobody';
/** An event that no read model has parked. */
const NOT_PARKED = { name: 'pets', stream: 'pet-0190a6b2-7c1e-7a34-9b0f-3f1a5c2d4e60', revision: 2 };

/** One request for each operation. The tests of access, tenants and owners send it as many callers. */
const EXAMPLES: Readonly<Record<string, ExampleRequest>> = {
  listPets: {},
  createPet: { body: () => PRICED_PET },
  searchPets: { body: () => ({}) },
  searchPetsByPath: { body: () => ({ criteria: { medical: {} } }) },
  // No sort by price: pets of the same price are sorted by their random ids, so the order differs from run to run.
  searchPetsByPost: { body: () => ({ criteria: { species: ['DOG'] } }) },
  getPet: { on: 'pet' },
  updatePet: { on: 'pet', body: () => ({ ...PRICED_PET, status: 'NOT_AVAILABLE' }) },
  deletePet: { on: 'pet' },
  uploadPetPhoto: { on: 'pet', upload: fileUpload(PIXEL) },
  // `elsewhere` excludes this request from the tests of tenants: without a tenant, a caller finds all images (contract 37.6).
  getPetImage: { on: 'pet image', elsewhere: 404 },
  deletePetImage: { on: 'pet image' },
  listOrders: {},
  createOrder: { on: 'pet', body: ({ id }) => ({ petId: id }) },
  getOrder: { on: 'order' },
  deleteOrder: { on: 'order' },
  callbackOrder: { on: 'order', body: () => ({ amount: '250.00', currency: 'USD', timestamp: PAST, callbackUrl: NOBODY }) },
  shipOrder: { on: 'paid order' },
  deliverOrder: { on: 'shipped order' },
  createOrderPayment: { on: 'order', body: () => ({ amount: '250.00', currency: 'USD', source: card() }) },
  getOrderPayment: { on: 'paid order' },
  getOrderReceipt: { on: 'paid order' },
  listAdoptions: {},
  createAdoption: { on: 'pet', body: ({ id }) => ({ petId: id, applicant: APPLICANT }) },
  getAdoption: { on: 'adoption' },
  deleteAdoption: { on: 'adoption' },
  approveAdoption: { on: 'adoption' },
  rejectAdoption: { on: 'adoption' },
  withdrawAdoption: { on: 'adoption' },
  getInventory: {},
  createChatCompletion: { body: () => ({ messages: [{ role: 'user', content: 'Which pets do you have?' }], stream: false }) },
  createOpenaiChatCompletion: {
    body: () => ({ model: 'pet-advisor-1', messages: [{ role: 'user', content: 'Which pets do you have?' }] }),
  },
  listOpenaiModels: {},
  getOpenaiModel: { ids: { id: 'pet-advisor-1' } },
  listWebhooks: {},
  createWebhook: { body: () => ({ url: NOBODY, events: ['payment.failed'] }) },
  getWebhook: { on: 'webhook' },
  updateWebhook: { on: 'webhook', body: () => ({ url: `${NOBODY}/else`, events: ['payment.failed'] }) },
  deleteWebhook: { on: 'webhook' },
  rotateWebhookSecret: { on: 'webhook' },
  testWebhook: { on: 'webhook' },
  listWebhookDeliveries: { on: 'delivery' },
  getWebhookDelivery: { on: 'delivery' },
  redeliverWebhookDelivery: { on: 'delivery' },
  redeliverToWebhook: { on: 'webhook', body: () => ({ since: PAST }) },
  getWebhookRedelivery: { on: 'redelivery' },
  getCallbackPublicKey: {},
  listClients: {},
  addClient: { body: () => ({ name: 'Pet Finder', redirectUris: [NOBODY] }) },
  getClient: { on: 'client' },
  updateClient: { on: 'client', body: () => ({ redirectUris: [NOBODY] }) },
  rotateClientSecret: { on: 'client', status: 409 },
  removeClient: { on: 'client' },
  makeCheckpoint: {},
  listCheckpoints: {},
  beginExport: { body: () => ({ from: PAST }) },
  // An export ends at a checkpoint, which every store has only after a while.
  getExport: { ids: { export: 'none' }, status: 404 },
  listProofKeys: {},
  getStoreHealth: {},
  listProjections: {},
  pauseProjection: { ids: { projection: 'users' }, body: () => ({}) },
  resumeProjection: { ids: { projection: 'users' }, body: () => ({}) },
  rebuildProjection: { ids: { projection: 'none' }, body: () => ({}), status: 404 },
  switchProjection: { ids: { projection: 'payments' }, body: () => ({ back: true }), status: 409 },
  dropFill: { ids: { projection: 'payments' }, body: () => ({ reason: 'it is not needed' }), status: 409 },
  listParked: {},
  retryParked: { body: () => ({ all: true }) },
  listSkipped: {},
  skipEvent: { body: () => ({ ...NOT_PARKED, reason: 'it cannot be handled' }), status: 409 },
  unskipEvent: { body: () => NOT_PARKED, status: 409 },
  listStuck: {},
  redeliverForOperator: { on: 'delivery', body: () => ({ reason: 'the receiver lost it' }) },
  listAllDeliveries: { query: '?status=parked&limit=5' },
  watch: { query: '?seconds=0' },
  listKeys: {},
  rotateSigningKey: {},
  // A tenant cannot create a signing key, so the request names one that does not exist.
  removeSigningKey: { ids: { kid: 'A'.repeat(43) }, status: 404 },
  createAuthToken: { on: 'user', body: ({ username }) => ({ username, password: PASSWORD }), elsewhere: 401 },
  listUsers: {},
  createUser: { body: newUser },
  getCurrentUser: {},
  getUserById: { on: 'user' },
  updateUser: { on: 'user', body: () => ({ firstName: 'Changed' }) },
  deleteUser: { on: 'user' },
  // The tokens of these tests do not come from a sign-in, so they belong to no session that could be ended.
  endCurrentToken: { status: 409 },
  listSessions: {},
  endSession: { on: 'session' },
  listAccounts: {},
  createAccount: { body: newUser },
  getAccount: { on: 'user' },
  grantStaff: { on: 'user' },
  revokeStaff: { on: 'user' },
  disableAccount: { on: 'user' },
  enableAccount: { on: 'user' },
  setPassword: { on: 'user', body: () => ({ password: PASSWORD }) },
  listAccountSessions: { on: 'user' },
  endAccountSession: { on: 'session' },
  getStreamHistory: { on: 'pet' },
  getPastPet: { on: 'pet' },
  getPastOrder: { on: 'order' },
  getPastPayment: { on: 'payment' },
  getPastAdoption: { on: 'adoption' },
  getPastUser: { on: 'user' },
  listAuditedEvents: { query: '?type=OrderPlaced&limit=100' },
  findInHistory: { query: '?text=Luna' },
  getRequestConsequences: { ids: { requestId: 'no-such-request' } },
  classicAddPet: { body: () => ({ name: 'Luna', photoUrls: [], tags: [{ name: 'gentle' }] }) },
  classicUpdatePet: { on: 'numbered pet', body: ({ number }) => ({ id: Number(number), name: 'Max', photoUrls: [] }) },
  classicFindPetsByStatus: { query: '?status=available,pending' },
  classicFindPetsByTags: { query: '?tags=gentle' },
  classicGetPetById: { on: 'numbered pet' },
  classicUpdatePetWithForm: { on: 'numbered pet', query: '?name=Max' },
  classicUploadFile: { on: 'numbered pet', upload: fileUpload(PIXEL) },
  classicDeletePet: { on: 'numbered pet' },
  classicGetInventory: {},
  classicPlaceOrder: { on: 'numbered pet', body: ({ number }) => ({ petId: Number(number) }) },
  classicGetOrderById: { on: 'numbered order' },
  classicDeleteOrder: { on: 'numbered order' },
  classicCreateUser: { body: newUser },
  classicCreateUsersWithListInput: { body: () => [newUser(), newUser()] },
  classicCreateUsersWithArrayInput: { body: () => [newUser(), newUser()] },
  classicLoginUser: {
    on: 'user',
    query: ({ username }) => `?username=${username}&password=${encodeURIComponent(PASSWORD)}`,
    elsewhere: 401,
  },
  classicLoginUserByForm: { on: 'user', body: ({ username }) => ({ username, password: PASSWORD }), elsewhere: 401 },
  classicLogoutUser: {},
  classicGetUserByName: { on: 'user' },
  classicUpdateUser: { on: 'user', body: () => ({ firstName: 'Changed' }) },
  classicDeleteUser: { on: 'user' },
};

/** Returns the example request of an operation. */
export const exampleOf = ({ id }: OperationRecord): ExampleRequest => {
  const example = EXAMPLES[id];
  if (!example) throw new Error(`${id} has no example request: add a line to EXAMPLES in test/http/example-requests.ts`);
  return example;
};

/** Returns the content of an example request for a resource. */
export const contentOf = ({ body, upload }: ExampleRequest, resource: Resource): RequestOptions =>
  upload ?? (body ? { body: body(resource) } : {});

/** Returns the address of an operation for a resource. The `number` of a resource, if it has one, is the id in the path. */
export const addressOf = ({ id, path }: OperationRecord, resource: Resource): string => {
  const { ids, query = '' } = EXAMPLES[id] ?? {};
  const values: Readonly<Record<string, string>> = {
    ...resource,
    ...(resource.number && { petId: resource.number, orderId: resource.number }),
    ...ids,
  };
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const value = values[name];
    if (value === undefined) throw new Error(`the example request of ${id} needs a resource with ${name}`);
    return value;
  });
  return filled + (typeof query === 'string' ? query : query(resource));
};
