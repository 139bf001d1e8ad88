import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Artifacts } from '../../../libs/application/oauth/artifacts.js';
import type { Clock } from '../../../libs/eventsourcing/ports/clock.port.js';
import { ALLOWED_ORIGIN } from '../http/cors.js';
import { pathOf } from '../http/pipeline/request-path.js';
import { JSON_TYPE } from '../http/responses.js';
import { ADDRESSES } from './addresses.js';
import { bodyOf } from './koa-bridge.js';
import type { OAuthRouteDependencies } from './authorization-server.js';
import { basicCredentialsOf } from './provider/client-origins.js';

type Handler = (request: FastifyRequest, reply: FastifyReply) => Promise<void>;

const DEVICE_CODE = 'urn:ietf:params:oauth:grant-type:device_code';

/**
 * The minimum time between two polls of a device. A device must wait 5 seconds (RFC 8628, 3.2). The minimum is a second
 * shorter: if one poll is delayed on its way and the next is not, they arrive less than 5 seconds apart.
 */
const POLL_MILLISECONDS = 4_000;

/**
 * Returns whether a device polls too soon after its last poll. Of two polls at the same time, one counts as too soon. Returns
 * false for any other request and for an unknown code, which oidc-provider rejects. A last poll in the future shows that the clocks of two
 * processes differ, so it says nothing about the time between the polls.
 */
export const isPolledTooSoon = async (form: URLSearchParams, artifacts: Artifacts, clock: Clock): Promise<boolean> => {
  const code = form.get('device_code');
  if (form.get('grant_type') !== DEVICE_CODE || code === null) return false;
  if ((await artifacts.find('DeviceCode', code)) === null) return false;
  const now = clock.now().getTime();
  return !(await artifacts.update('DeviceCode', code, (artifact) => {
    const { polledAt } = artifact;
    return typeof polledAt === 'number' && Math.abs(now - polledAt) < POLL_MILLISECONDS ? null : { ...artifact, polledAt: now };
  }));
};

/**
 * Returns the body of a refresh request for the token endpoint. Adds `grant_type`, which the request may omit. Returns null
 * if the request names another grant type.
 */
export const refreshBody = (form: URLSearchParams): Buffer | null => {
  if (form.has('grant_type') && form.get('grant_type') !== 'refresh_token') return null;
  form.set('grant_type', 'refresh_token');
  return Buffer.from(form.toString());
};

/** The addresses at which a client authenticates. */
const FOR_CREDENTIALS: readonly string[] = [
  ADDRESSES.token,
  ADDRESSES.refresh,
  ADDRESSES.revocation,
  ADDRESSES.introspection,
  ADDRESSES.deviceAuthorize,
];

/**
 * Reads Basic with an empty secret as the id of a public client, because some clients send it so (contract 32.2). For any other client
 * the credentials are wrong.
 */
export const takeEmptySecret =
  ({ open, address }: Pick<OAuthRouteDependencies, 'open' | 'address'>): Handler =>
  async (request, reply) => {
    const basic = FOR_CREDENTIALS.includes(pathOf(request)) ? basicCredentialsOf(request.headers.authorization) : null;
    if (basic?.secret !== '') return;
    const form = new URLSearchParams(bodyOf(request).toString());
    const client = await (await open()).provider.Client.find(basic.id);
    const isPublic = client?.clientAuthMethod === 'none' && !form.has('client_secret');
    if (!isPublic || form.getAll('client_id').some((id) => id !== basic.id)) {
      reply.header('www-authenticate', `Basic realm="${address.url}", error="invalid_client"`);
      // Which pages may read the answer depends on the client.
      reply.removeHeader(ALLOWED_ORIGIN);
      return sendError(reply, 'invalid_client', 'client authentication failed', 401);
    }
    form.set('client_id', basic.id);
    delete request.headers.authorization;
    request.body = Buffer.from(form.toString());
  };

/** Sends an error of the token endpoint (RFC 6749, 5.2). */
export const sendError = (reply: FastifyReply, error: string, description: string, status = 400): void => {
  const json = JSON.stringify({ error, error_description: description });
  reply.code(status).header('cache-control', 'no-store').header('content-type', JSON_TYPE).send(json);
};
