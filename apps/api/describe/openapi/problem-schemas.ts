import { ERROR_CODES, MAX_ERRORS } from '../../http/problems/error-codes.js';
import { SCHEMA_PREFIX } from '../../http/validation/schemas.js';

/** The schemas of problems (contract 4.1, 4.4). */
export const PROBLEM_SCHEMAS = {
  Problem: {
    type: 'object',
    description: 'An error (RFC 9457)',
    required: ['type', 'title', 'status', 'detail', 'instance'],
    properties: {
      type: { type: 'string', format: 'uri', description: 'The kind of problem, as the URL of the page that explains it' },
      title: { type: 'string', description: 'A short text for the kind of problem' },
      status: { type: 'integer', description: 'The HTTP status' },
      detail: { type: 'string', description: 'An explanation of this occurrence of the problem' },
      instance: { type: 'string', description: 'The path of the request' },
      errors: {
        type: 'array',
        items: { $ref: `${SCHEMA_PREFIX}FieldError` },
        maxItems: MAX_ERRORS,
        description: `The invalid fields, at most ${MAX_ERRORS}`,
      },
      errorsTruncated: { type: 'boolean', const: true, description: 'Present if more fields are invalid than `errors` lists' },
    },
  },
  FieldError: {
    type: 'object',
    description: 'An invalid field',
    required: ['field', 'message', 'code'],
    properties: {
      field: {
        type: 'string',
        description: 'The path of the field, with dots and list indexes',
        examples: ['medicalInfo.vaccinated', 'photos[0]'],
      },
      message: { type: 'string', description: 'The rule that the field breaks' },
      // Text, because later versions may have other codes (contract 28.4).
      code: { type: 'string', 'x-extensible-enum': Object.keys(ERROR_CODES), description: 'A code for programs' },
    },
  },
};
