import type { OperationRecord } from '../operation.js';
import { PUBLIC } from '../admission/access.js';

/** The record of an operation without query and body. */
export const GET_PET: OperationRecord = {
  id: 'getPet',
  method: 'GET',
  path: '/v1/pets/{id}',
  access: PUBLIC,
  tag: 'Pets',
  summary: 'Read a pet',
  description: '',
  success: { status: 200, description: 'The pet' },
  problems: [],
};
