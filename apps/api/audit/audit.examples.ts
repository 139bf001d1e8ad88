/** Examples for the OpenAPI document. A test validates them. */
const PET = '0190a6b2-7c1e-7a34-9b0f-3f1a5c2d4e60';
const REQUEST = '0190a6b9-0f1e-7b2c-8d3e-4f5061728394';
const TIME = '2026-01-02T03:04:05.678Z';

const EVENT_EXAMPLE = {
  id: '0190a6b9-1a2b-7c3d-8e4f-5a6b7c8d9e0f',
  stream: `pet-${PET}`,
  revision: 1,
  type: 'PetStatusSet',
  time: TIME,
  actor: 'staff',
  tenant: 'shared',
  requestId: REQUEST,
  correlationId: REQUEST,
  causationId: REQUEST,
  data: { from: 'AVAILABLE', to: 'NOT_AVAILABLE', reason: 'requested' },
};

const page = `https://pets.example.com/v1/audit/streams/pet-${PET}?page=1&limit=20`;

export const STREAM_HISTORY_EXAMPLE = {
  data: [{ ...EVENT_EXAMPLE, changes: [{ field: 'status', from: 'AVAILABLE', to: 'NOT_AVAILABLE' }] }],
  pagination: { page: 1, limit: 20, totalItems: 1, totalPages: 1 },
  links: { self: page, first: page, last: page, next: null, prev: null },
};

export const STATE_EXAMPLE = {
  stream: `pet-${PET}`,
  revision: 1,
  time: TIME,
  state: { id: PET, species: 'DOG', name: 'Luna', ageMonths: 12, status: 'NOT_AVAILABLE', createdAt: TIME, updatedAt: TIME },
};

/** The cursor of a page. A client sends it as `after` to get the next page. */
const NEXT = 'kq3V0cT2mJ1bq5xW7dYc8nR4sZ6uP0aLhG9eF2iKxw0';

export const LOG_EXAMPLE = { data: [EVENT_EXAMPLE], next: NEXT };

const DELIVERY_EXAMPLE = {
  id: '8a1d2c3b-4e5f-5a6b-8c7d-9e0f1a2b3c4d',
  eventType: 'pet.statusChanged',
  webhookId: '0190a6b5-3f4a-7d67-8e3c-6a4d8f5b7c93',
  status: 'delivered',
  attempts: 1,
  createdAt: TIME,
};

export const CONSEQUENCES_EXAMPLE = {
  data: [
    {
      ...STREAM_HISTORY_EXAMPLE.data[0],
      message: { topic: 'petstore.pets.v1', key: PET, type: 'petstore.pet.status-set.v1', sequence: '2' },
      deliveries: [DELIVERY_EXAMPLE],
    },
  ],
  next: null,
};

/** What the name of a pet finds. */
export const FOUND_EXAMPLE = {
  data: [{ kind: 'stream', stream: 'pet-0190a6b2-7c1e-7a34-9b0f-3f1a5c2d4e60', by: 'name', tenant: 'shared' }],
} as const;
