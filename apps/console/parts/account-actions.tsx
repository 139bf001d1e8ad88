import type { Action, ActionRequest } from '../acting.js';
import { newAccountBody, passwordBody } from '../form-bodies.js';
import { hrefOf } from '../routes.js';
import { session } from '../session.js';
import type { Account, AccountSession } from '../shapes.js';
import { tenantOfRequest, tenantWords } from '../tenant.js';
import { Choice, NewPasswordField, TextField } from './fields.js';

/** The service takes the reasons of these actions in a header. */
const REASON = { in: 'header' } as const;

const PASSWORD_HELP = 'At least 8 characters. Give it to the person in a safe way: nobody can read it again.';

const pathOf = ({ id }: Account, part = ''): string => `v1/ops/users/${encodeURIComponent(id)}${part}`;

/** Returns what ends when the tokens of an account end (contract 30.10). */
const endedTokens = ({ id }: Account, which = 'All tokens of the account'): string =>
  `${which} end, within a second in every process.${
    session.get().claims?.subject === id ? ' Yours is one of them: this is your own account, so you have to sign in again.' : ''
  }`;

/** Creates an account (contract 30.8). */
export const createAccount = (): Action => ({
  title: 'Create an account',
  verb: 'Create',
  does: `Creates an account in ${tenantWords(tenantOfRequest())}. Its person can sign in at once.`,
  undo: 'Disable the account, or erase it with everything that is personal.',
  reason: REASON,
  fields: (
    <>
      <div class="fields">
        <TextField name="username" label="Username" isRequired maxLength={50} help="3 to 50 characters, for signing in." />
        <TextField name="email" label="Email address" isRequired maxLength={254} mode="email" />
        <TextField name="firstName" label="First name" maxLength={100} />
        <TextField name="lastName" label="Last name" maxLength={100} />
        <TextField name="phone" label="Phone number" maxLength={30} mode="tel" />
        <NewPasswordField name="password" label="Password" help={PASSWORD_HELP} />
      </div>
      <Choice
        name="staff"
        label="The account has the role of staff"
        help="Tokens of its sign-ins have all scopes, those of operators and auditors too."
      />
    </>
  ),
  requestOf: (form) => ({ method: 'POST', path: 'v1/ops/users', body: newAccountBody(form) }),
  answerOf: (answer) => {
    const { id, username } = answer as Account;
    return (
      <p>
        <a href={hrefOf('accounts', id)}>Show the account {username}</a>
      </p>
    );
  },
});

const change = (account: Account, method: ActionRequest['method'], part: string) => (): ActionRequest => ({
  method,
  path: pathOf(account, part),
});

/** Gives an account the role of staff. */
export const giveStaff = (account: Account): Action => ({
  title: `Give ${account.username} the role of staff`,
  verb: 'Give the role',
  does: 'Tokens of later sign-ins to the account have all scopes, those of operators and auditors too.',
  undo: 'Take the role away again. This also ends the tokens that were issued with it.',
  reason: REASON,
  requestOf: change(account, 'PUT', '/staff'),
});

/** Takes the role of staff from an account. */
export const takeStaff = (account: Account): Action => ({
  title: `Take the role of staff from ${account.username}`,
  verb: 'Take the role away',
  does: 'Tokens of later sign-ins have only the scopes of a customer.',
  stops: endedTokens(account),
  undo: 'Give the role again. Tokens that have ended stay invalid: the person signs in again.',
  reason: REASON,
  requestOf: change(account, 'DELETE', '/staff'),
});

/** Disables an account. */
export const disableAccount = (account: Account): Action => ({
  title: `Disable ${account.username}`,
  verb: 'Disable',
  does: 'Nobody can sign in to the account. Its orders and applications go on.',
  stops: endedTokens(account),
  undo: 'Enable the account. Tokens that have ended stay invalid: the person signs in again.',
  reason: REASON,
  requestOf: change(account, 'PUT', '/disabled'),
});

/** Enables an account. */
export const enableAccount = (account: Account): Action => ({
  title: `Enable ${account.username}`,
  verb: 'Enable',
  does: 'The person can sign in again, with the same password.',
  undo: 'Disable the account again.',
  reason: REASON,
  requestOf: change(account, 'DELETE', '/disabled'),
});

/** Sets the password of an account. */
export const setPassword = (account: Account): Action => ({
  title: `Set the password of ${account.username}`,
  verb: 'Set the password',
  does: 'Sign-ins to the account need the new password.',
  stops: endedTokens(account, 'The tokens of all earlier sign-ins'),
  undo: 'It cannot be undone: the service has only a hash of the former password, and forgets it. You can set another one.',
  isFinal: true,
  reason: REASON,
  fields: <NewPasswordField name="password" label="New password" help={PASSWORD_HELP} />,
  requestOf: (form) => ({ ...change(account, 'PUT', '/password')(), body: passwordBody(form) }),
});

/** Ends a session of an account. */
export const endSession = ({ username }: Account, { id, current }: AccountSession): Action => ({
  title: `End a session of ${username}`,
  verb: 'End the session',
  does: (
    <>
      Ends the session <code>{id}</code>.
    </>
  ),
  stops: `The tokens of the session end, within a second in every process.${current ? ' Yours is one of them: this is your own session.' : ''}`,
  undo: 'It cannot be undone, but the person can sign in again.',
  isFinal: true,
  reason: REASON,
  requestOf: () => ({ method: 'DELETE', path: `v1/ops/sessions/${encodeURIComponent(id)}` }),
  isGoneAfter: true,
});

/** Erases an account: what is lost and what stays is in contract 38.1. */
export const eraseAccount = (account: Account): Action => ({
  title: `Erase ${account.username}`,
  verb: 'Erase for good',
  does: (
    <>
      <p>Destroys the key of the person. From then on nobody can read, in no history, export or rebuild:</p>
      <ul>
        <li>username, email address, names and phone number, and the password, which is removed</li>
        <li>the payer of each order that the person placed</li>
        <li>the applicant and the message of each application that the person sent</li>
        <li>what the person wrote about uploaded images</li>
        <li>who acted, from which address, in the person’s security events</li>
        <li>these values in webhooks that were sent</li>
      </ul>
      <p>
        The events and the id of the account stay, so the log still verifies. The username and the email address are free again. Payers and
        applications that were sent with another token stay.
      </p>
    </>
  ),
  stops: (
    <>
      {endedTokens(account)} Orders under way go on. An open application stays open without its applicant, until staff decide it or it
      expires.
    </>
  ),
  undo: 'Nobody can undo it. Only an older backup that is restored without the list of erasures has the person again.',
  isFinal: true,
  reason: { ...REASON, isRequired: true },
  requestOf: () => ({ method: 'DELETE', path: `v1/users/${encodeURIComponent(account.id)}` }),
  isGoneAfter: true,
});
