import type { Configuration, KoaContextWithOIDC } from 'oidc-provider';
import { deviceCodeHtml, deviceConfirmHtml, deviceDoneHtml } from '../pages/device-pages.js';
import { errorHtml } from '../pages/error-page.js';

type DeviceFlow = NonNullable<NonNullable<Configuration['features']>['deviceFlow']>;

/** The member of a request that is called if the request has a wrong user code. */
export const WRONG_CODE = Symbol('wrong user code');

/** The errors of a code that is not, or no longer, a code of a device. */
const WRONG_CODES: ReadonlySet<string> = new Set(['NotFoundError', 'ExpiredError', 'AlreadyUsedError']);

/** Returns the token of the form. The token protects the form against requests of other sites. */
const formToken = ({ oidc }: KoaContextWithOIDC): string => {
  const state = oidc.session?.state as { readonly secret?: string } | undefined;
  return state?.secret ?? '';
};

const showPage = (ctx: KoaContextWithOIDC, html: string): void => {
  ctx.type = 'html';
  ctx.body = html;
};

/**
 * Returns whether the browser has no stored session. Such a browser cannot send a valid form, because the session contains
 * the token of the form. For such a browser, oidc-provider has created a session without an expiry time. This function prevents
 * oidc-provider from storing the created session, because storing it would fail.
 */
const isWithoutSession = ({ oidc: { session } }: KoaContextWithOIDC): boolean => {
  if (!session || session.exp !== undefined) return false;
  Object.assign(session, { touched: false });
  return true;
};

/** The messages for people, by the name of the error of oidc-provider. */
const FAULTS: Readonly<Record<string, string>> = {
  NoCodeError: 'Enter the code that your device shows.',
  NotFoundError: 'This code is not known. Compare it with the one on your device.',
  ExpiredError: 'This code has expired. Start again on your device.',
  AlreadyUsedError: 'This code was used already. Start again on your device.',
  AbortedError: 'You did not give access. You can close this page.',
};

/** The pages of the device code flow (RFC 8628, 3.3). */
export const deviceFlow: DeviceFlow = {
  enabled: true,
  charset: 'base-20',
  mask: '****-****',
  deviceInfo: () => ({}),
  userCodeInputSource(ctx, _form, _out, error) {
    if (error && WRONG_CODES.has(error.name)) (ctx.req as { readonly [WRONG_CODE]?: () => void })[WRONG_CODE]?.();
    if (error && isWithoutSession(ctx)) return showPage(ctx, errorHtml('expired'));
    const typed = error && 'userCode' in error ? String(error.userCode) : (ctx.state['userCode'] as string | undefined);
    const fault = error ? (FAULTS[error.name] ?? 'The code could not be checked. Try again.') : undefined;
    showPage(ctx, deviceCodeHtml({ formToken: formToken(ctx), userCode: typed, fault }));
  },
  userCodeConfirmSource(ctx, _form, client, _deviceInfo, userCode) {
    showPage(ctx, deviceConfirmHtml({ formToken: formToken(ctx), userCode, client: client.clientName ?? client.clientId }));
  },
  async successSource(ctx) {
    showPage(ctx, deviceDoneHtml(ctx.oidc.client?.clientName ?? 'the device'));
  },
};
