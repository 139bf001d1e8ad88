import { useState } from 'preact/hooks';
import type { Action } from '../acting.js';
import { clientChangesBody, newClientBody, type ClientKind } from '../form-bodies.js';
import { placeOf } from '../place.js';
import { session } from '../session.js';
import type { Client, ClientWithSecret } from '../shapes.js';
import { tenantOfRequest, tenantWords } from '../tenant.js';
import { Command } from './command.js';
import { Choice, Choices, LinesField, TextField } from './fields.js';
import { Time } from './time.js';

/** The service takes the reasons of these actions in a header. */
const REASON = { in: 'header' } as const;

/** What each scope permits (contract 5.5). */
const SCOPES: Readonly<Record<string, string>> = {
  'read:pets': 'View pets. No operation requires it.',
  'write:pets': 'Create, change and remove pets, see pets of every status, decide applications.',
  'write:orders': 'See every order, ship and deliver orders.',
  'write:webhooks': 'Register webhook endpoints and see their deliveries.',
  'audit:read': 'Read the history of every resource.',
  'chat:write': 'Use the chat with the pet advisor.',
  ops: 'Operate the service: accounts, clients, keys, and what you see here.',
};

const kindOf = ({ program }: Client): ClientKind => (program ? 'program' : 'people');

const pathOf = ({ id }: Client): string => `v1/ops/clients/${encodeURIComponent(id)}`;

/** Returns whether the token may give a scope to a program (contract 32.9). */
const mayGive = (scope: string): boolean => {
  const { claims } = session.get();
  return claims !== null && claims.scopes.has(scope) && (scope !== 'ops' || claims.tenant === undefined);
};

const Scopes = ({ chosen = [] }: { readonly chosen?: readonly string[] }) => (
  <Choices legend="Scopes of its tokens" areMany>
    {Object.entries(SCOPES).map(([scope, meaning]) => (
      <Choice
        key={scope}
        name="scopes"
        value={scope}
        label={<code>{scope}</code>}
        help={mayGive(scope) ? meaning : `${meaning} Your token cannot give it.`}
        isChosen={chosen.includes(scope)}
        isDisabled={!mayGive(scope) && !chosen.includes(scope)}
      />
    ))}
  </Choices>
);

const Uris = ({ client }: { readonly client?: Client }) => (
  <>
    <LinesField
      name="redirectUris"
      label="Redirect URIs"
      lines={client?.redirectUris ?? []}
      placeholder="https://finder.example.com/signed-in"
      help="One in each line: where browsers return after the sign-in. https, http on a loopback address, or the scheme of an app. A client that only uses device codes needs none."
    />
    <LinesField
      name="postLogoutRedirectUris"
      label="URIs after a sign-out"
      lines={client?.postLogoutRedirectUris ?? []}
      placeholder="https://finder.example.com/signed-out"
      help="One in each line: where browsers may return after a person has signed out."
    />
  </>
);

const NewClientFields = () => {
  const [kind, setKind] = useState<ClientKind>('people');
  return (
    <>
      <TextField
        name="name"
        label="Name"
        isRequired
        maxLength={100}
        help="People see it when they sign in. Histories show it for a program."
      />
      <Choices legend="What it is for">
        <Choice
          name="kind"
          type="radio"
          value="people"
          label="It signs people in"
          help="With a browser, or on a device without one."
          isChosen={kind === 'people'}
          onChoose={() => setKind('people')}
        />
        <Choice
          name="kind"
          type="radio"
          value="program"
          label="It is a program"
          help="It gets tokens for itself, by its secret, and signs nobody in."
          isChosen={kind === 'program'}
          onChoose={() => setKind('program')}
        />
      </Choices>
      {kind === 'program' ? (
        <Scopes />
      ) : (
        <>
          <Uris />
          <Choice name="device" label="It may use device codes" help="For devices without a browser: people type a code elsewhere." />
          <Choice name="confidential" label="It has a secret" help="For a client on a server. An app or a page cannot keep a secret." />
        </>
      )}
    </>
  );
};

/** The secret of a client, while the page has it. */
const Secret = ({ answer }: { readonly answer: unknown }) => {
  if (answer === undefined) return <p>This page has forgotten its answer, because it may have a secret.</p>;
  const { id, name, secret, confidential, program, formerSecretValidUntil } = answer as ClientWithSecret;
  return (
    <>
      <dl class="facts">
        <dt>Client</dt>
        <dd>{name}</dd>
        <dt>Client id</dt>
        <dd>
          <Command text={id} label="Copy the client id" />
        </dd>
        {secret !== undefined && (
          <>
            <dt>Secret</dt>
            <dd>
              <Command text={secret} label="Copy the secret" />
            </dd>
          </>
        )}
        {program && (
          <>
            <dt>Tokens</dt>
            <dd>
              <code>grant_type=client_credentials</code> at <code>{placeOf().publicUrl.replace(/\/$/, '')}/oauth/token</code>
            </dd>
          </>
        )}
        {formerSecretValidUntil !== undefined && (
          <>
            <dt>Former secret</dt>
            <dd>
              valid until <Time at={formerSecretValidUntil} />
            </dd>
          </>
        )}
      </dl>
      {confidential && (
        <p class="note warning">
          {secret === undefined
            ? 'The secret has ended meanwhile, so it is not shown. Give the client another one.'
            : 'Store the secret now: nothing shows it again. This page forgets it when you close or leave this.'}
        </p>
      )}
    </>
  );
};

const secretOf = (answer: unknown) => <Secret answer={answer} />;

/** Registers a client (contract 32.4). */
export const addClient = (): Action => ({
  title: 'Add a client',
  verb: 'Add',
  does: `Registers a client in ${tenantWords(tenantOfRequest())}. If it has a secret, only the answer shows it.`,
  undo: 'Remove the client.',
  reason: REASON,
  fields: <NewClientFields />,
  requestOf: (form) => ({ method: 'POST', path: 'v1/ops/clients', body: newClientBody(form) }),
  answerOf: secretOf,
  hasSecret: true,
});

/** Changes the URIs of a client, or the scopes of a program. */
export const changeClient = (client: Client): Action => ({
  title: `Change ${client.name}`,
  verb: 'Change',
  does: client.program
    ? 'Later tokens of the program may have the chosen scopes, and no others.'
    : 'Browsers return to these addresses only. They are compared as text, but the port of a loopback address is ignored.',
  ...(client.program && { stops: 'If a scope is taken away, all present tokens of the program end, within a second in every process.' }),
  undo: client.program ? 'Change the scopes back. Tokens that have ended stay invalid: the program gets others.' : 'Change them back.',
  reason: REASON,
  fields: client.program ? <Scopes chosen={client.scopes} /> : <Uris client={client} />,
  requestOf: (form) => ({ method: 'PUT', path: pathOf(client), body: clientChangesBody(form, kindOf(client)) }),
});

/** Gives a client a new secret. */
export const giveSecret = (client: Client): Action => ({
  title: `Give ${client.name} a new secret`,
  verb: 'Give a new secret',
  does: 'Creates a secret, which only the answer shows. The present one stays valid for 24 hours, so that the client can be changed without a break.',
  stops: 'A secret before the present one, if it is still valid, ends at once. Tokens stay valid.',
  undo: 'It cannot be undone: the present secret ends in 24 hours in any case.',
  isFinal: true,
  reason: REASON,
  requestOf: () => ({ method: 'POST', path: `${pathOf(client)}/secret` }),
  answerOf: secretOf,
  hasSecret: true,
});

/** Removes a client. */
export const removeClient = (client: Client): Action => ({
  title: `Remove ${client.name}`,
  verb: 'Remove',
  does: client.program ? 'The program gets no more tokens. Histories still show its name.' : 'Nobody can sign in with the client any more.',
  stops: 'All its tokens end, within a second in every process.',
  undo: 'It cannot be undone: a client that is added instead has another id and another secret.',
  isFinal: true,
  reason: REASON,
  requestOf: () => ({ method: 'DELETE', path: pathOf(client) }),
  isGoneAfter: true,
});
