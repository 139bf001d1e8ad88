import { OPS, SCOPES } from '../../http/admission/access.js';
import { RECEIVERS, TAGS } from '../../http/operation.js';
import { OPERATIONS } from '../../operations.js';
import { pathItems } from './paths.js';
import { receiverSchemas, webhookItems } from './receivers.js';
import { headers } from './headers.js';
import { parameters } from './parameters.js';
import { problemResponses } from './problem-responses.js';
import { schemas } from './schemas.js';
import { withAddresses } from '../example-addresses.js';

const operations = Object.values(OPERATIONS);

const DESCRIPTION = `An event-sourced pet adoption and pet store service.

Bodies are JSON. Every error is a problem (RFC 9457). Its \`type\` is the address of a page that explains it. Its \`errors\` name every invalid field.
In requests, enum values may be in upper or lower case, with \`-\` or \`_\`. In responses, the enum values of pets are in upper case, and those of orders and payments are in lower case.
Every resource has an \`ETag\`. With \`If-None-Match\`, an unchanged resource is not sent again. \`If-Match\` prevents lost updates. Every POST that creates a resource accepts an \`Idempotency-Key\`, so that it can be repeated safely.`;

/**
 * Creates the OpenAPI 3.2.0 document for a service at `publicUrl` (contract 25.3). `outsideIssuer` is null if the service
 * itself signs users in. With an outside issuer, the service has no authorization server, so the document has no scheme
 * `oauth2` (contract 33.1).
 */
export const openapiDocument = (publicUrl: string, outsideIssuer: string | null = null): object =>
  withAddresses(
    {
      openapi: '3.2.0',
      info: {
        title: 'Pet Store',
        version: '1.0.0',
        summary: 'Pets, orders, payments and inventory',
        description: DESCRIPTION,
        license: { name: 'MIT', identifier: 'MIT' },
      },
      jsonSchemaDialect: 'https://json-schema.org/draft/2020-12/schema',
      servers: [{ url: publicUrl, description: 'This service' }],
      tags: [
        ...Object.entries(TAGS).map(([name, description]) => ({ name, description })),
        { name: RECEIVERS, description: 'Requests that the service sends to receivers: webhooks and callbacks' },
      ],
      paths: pathItems(operations, publicUrl, outsideIssuer),
      webhooks: webhookItems(),
      components: {
        schemas: { ...schemas(operations), ...receiverSchemas() },
        responses: problemResponses(publicUrl),
        parameters,
        headers,
        securitySchemes: { ...BEARER_SCHEMES, ...(outsideIssuer === null && { oauth2: oauth2Scheme(publicUrl) }) },
      },
    },
    publicUrl,
  );

/**
 * Two security schemes with the same technical meaning: an access token in the header Authorization. Operations that accept
 * any token use `bearerToken` (contract 5.9).
 */
const BEARER_SCHEMES = {
  bearerAuth: {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: 'JWT',
    description: 'An access token with the scopes that the operation names',
  },
  bearerToken: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT', description: 'Any valid access token' },
};

const oauth2Scheme = (publicUrl: string): object => {
  const scopes = { ...SCOPES, [OPS]: 'operate the service: any tenant, no rate limit' };
  const tokenUrl = `${publicUrl}/oauth/token`;
  const refreshUrl = `${publicUrl}/oauth/refresh`;
  return {
    type: 'oauth2',
    description: 'An access token from the authorization server',
    flows: {
      authorizationCode: { authorizationUrl: `${publicUrl}/oauth/authorize`, tokenUrl, refreshUrl, scopes },
      deviceAuthorization: { deviceAuthorizationUrl: `${publicUrl}/oauth/device/authorize`, tokenUrl, refreshUrl, scopes },
    },
  };
};
