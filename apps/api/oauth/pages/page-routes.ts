import type { FastifyReply, FastifyRequest } from 'fastify';
import { formPolicy, sendPage } from '../../describe/pages/page.js';
import { isRefused } from '../../sign-in/failed-attempts.js';
import { answerByProvider, bodyOf, koaRequest } from '../koa-bridge.js';
import type { AuthorizationServer, OAuthRouteDependencies } from '../authorization-server.js';
import { WRONG_CODE } from '../provider/device-flow.js';
import { UNAVAILABLE_SECONDS } from '../provider/outages.js';
import { attemptsWithin, sendTooManyRequests } from '../request-limits.js';
import { errorHtml } from './error-page.js';
import type { PageAnswer } from './form-page.js';
import { withoutMarker } from './home-address.js';

type Handler = (request: FastifyRequest, reply: FastifyReply) => Promise<void>;

/** Returns the handler of the pages on which a person signs in and gives access (contract 32.3). */
export const interactionHandler = ({ open, address, ...limits }: OAuthRouteDependencies): Handler => {
  const begin = attemptsWithin(limits);
  return async (request, reply) => {
    const { interactions, faultOf } = await open();
    const { uid } = request.params as { readonly uid: string };
    const context = [koaRequest(request, address), reply.raw] as const;
    try {
      const answer =
        request.method === 'GET'
          ? await interactions.show(context, uid)
          : await interactions.submit(context, uid, new URLSearchParams(bodyOf(request).toString()), () => begin(request));
      sendAnswer(reply, answer);
    } catch (error) {
      sendFault(reply, faultOf(error), error);
    }
  };
};

/** Returns the handler of the pages on which a person signs out of a client (contract 32.8). */
export const signOutHandler =
  ({ open, address }: OAuthRouteDependencies): Handler =>
  async (request, reply) => {
    const { signOut, faultOf } = await open();
    // The base `http://petstore` is not used. `URL` needs a base to parse a path.
    const sent = request.method === 'GET' ? new URL(withoutMarker(request.url), 'http://petstore').searchParams : null;
    const form = new URLSearchParams(bodyOf(request).toString());
    try {
      sendAnswer(reply, sent ? await signOut.show(sent) : await signOut.confirm(form, koaRequest(request, address)));
    } catch (error) {
      sendFault(reply, faultOf(error), error);
    }
  };

/** Sends the page for a fault, or throws an unexpected failure of the service. */
const sendFault = (reply: FastifyReply, fault: ReturnType<AuthorizationServer['faultOf']>, error: unknown): void => {
  if (!fault) throw error;
  sendForm(reply, { status: fault.status, html: errorHtml(fault.code), targets: [] });
};

const sendAnswer = (reply: FastifyReply, answer: PageAnswer): void => {
  if ('location' in answer) reply.code(303).header('location', answer.location).header('cache-control', 'no-store').send();
  else sendForm(reply, answer);
};

const sendForm = (reply: FastifyReply, { status, html, targets, retrySeconds }: Extract<PageAnswer, { html: string }>): void => {
  reply.header('x-frame-options', 'DENY');
  if (retrySeconds !== undefined || status === 503) reply.header('retry-after', String(retrySeconds ?? UNAVAILABLE_SECONDS));
  sendPage(reply, html, { status, policy: formPolicy(...targets), cacheControl: 'no-store' });
};

/**
 * Returns the handler of the forms of the device page. Counts each form as an attempt to sign in. Beyond a limit, sends a page with
 * the status 429 (contract 32.3). The page of the device code flow says that the attempt has failed.
 */
export const devicePostHandler = ({ open, address, ...limits }: OAuthRouteDependencies): Handler => {
  const begin = attemptsWithin(limits);
  return async (request, reply) => {
    const attempt = await begin(request);
    if (isRefused(attempt)) return sendTooManyRequests(reply, attempt.retrySeconds);
    const koa = Object.assign(koaRequest(request, address), { [WRONG_CODE]: () => attempt.failed() });
    try {
      await answerByProvider((await open()).provider, koa, reply);
    } finally {
      attempt.succeeded();
    }
  };
};
