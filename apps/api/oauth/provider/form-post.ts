import { createHash } from 'node:crypto';
import type { KoaContextWithOIDC, Provider } from 'oidc-provider';
import { formTargetPolicy } from '../../describe/pages/page.js';
import { formPostHtml, SUBMIT } from '../pages/form-post-page.js';

/**
 * The response mode `form_post` (OAuth 2.0 Form Post Response Mode), under a name of its own: the mode of oidc-provider, which cannot be
 * replaced, has another page, another status and no policy.
 */
export const FORM_POST = 'form-post-page';

const SUBMIT_HASH = `'sha256-${createHash('sha256').update(SUBMIT).digest('base64')}'`;

/** Adds the response mode: a page sends the answer to the redirect URI as a form (contract 32.2). */
export const addFormPost = (provider: Provider): void =>
  provider.registerResponseMode(FORM_POST, (ctx: KoaContextWithOIDC, redirectUri: string, answer: object) => {
    // The members of an answer are texts.
    const fields = Object.fromEntries(Object.entries(answer).filter(([, value]) => value !== undefined)) as Readonly<
      Record<string, string>
    >;
    ctx.status = 200;
    ctx.type = 'html';
    ctx.body = formPostHtml(redirectUri, fields);
    ctx.state['policy'] = formTargetPolicy(redirectUri, SUBMIT_HASH);
  });
