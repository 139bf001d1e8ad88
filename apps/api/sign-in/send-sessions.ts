import type { FastifyReply } from 'fastify';
import type { Session } from '../../../libs/application/sessions/sessions.js';
import type { CallOf } from '../http/call.js';
import type { PageQuery } from '../http/collection.dto.js';
import { pageRequest, sendPage } from '../http/collections.js';
import { sessionJson } from './session.dto.js';

/**
 * Responds with the requested page of an account's sessions. `sessions` are all sessions of the account. `url` is the URL
 * of the list, for the links.
 */
export const sendSessions = (
  reply: FastifyReply,
  sessions: readonly Session[],
  { query, caller }: CallOf<{ query: PageQuery }>,
  url: string,
): void => {
  const { page, limit } = pageRequest(query);
  const onPage = sessions.slice((page - 1) * limit, page * limit);
  const items = onPage.map((session) => sessionJson(session, caller?.signIn?.sessionId));
  sendPage(reply, { items, totalItems: sessions.length }, query, { url });
};
