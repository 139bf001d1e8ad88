import { withQuery } from '../api.js';
import { ActionButton } from '../parts/action.js';
import * as actions from '../parts/client-actions.js';
import { OfTenant, OutsideIssuerNote } from '../parts/of-tenant.js';
import { Page } from '../parts/page.js';
import { Pager } from '../parts/pager.js';
import { Read } from '../parts/problem.js';
import { Table } from '../parts/table.js';
import { Since } from '../parts/time.js';
import type { Client, Collection } from '../shapes.js';
import { useRead } from '../use-read.js';

const EVERY = 10_000;

const kindWords = ({ program, confidential, device, implicit }: Client): string => {
  if (program) return 'program';
  return [
    `signs people in, with${confidential ? '' : 'out'} a secret`,
    ...(device ? ['device codes'] : []),
    ...(implicit ? ['implicit flow'] : []),
  ].join(', ');
};

const Uris = ({ uris, what }: { readonly uris: readonly string[]; readonly what: string }) =>
  uris.length === 0 ? null : (
    <>
      <dt>{what}</dt>
      <dd>
        <ul class="plain">
          {uris.map((uri) => (
            <li key={uri}>
              <code>{uri}</code>
            </li>
          ))}
        </ul>
      </dd>
    </>
  );

const Terms = ({ redirectUris, postLogoutRedirectUris, scopes }: Client) =>
  redirectUris.length + postLogoutRedirectUris.length + scopes.length === 0 ? null : (
    <dl class="facts">
      {scopes.length > 0 && (
        <>
          <dt>Scopes</dt>
          <dd>
            <code>{scopes.join(' ')}</code>
          </dd>
        </>
      )}
      <Uris what="Returns to" uris={redirectUris} />
      <Uris what="After a sign-out" uris={postLogoutRedirectUris} />
    </dl>
  );

const Acts = ({ client }: { readonly client: Client }) => (
  <span class="acts">
    <ActionButton action={() => actions.changeClient(client)} label={`${client.program ? 'Scopes' : 'URIs'} of ${client.name}`}>
      {client.program ? 'Scopes…' : 'URIs…'}
    </ActionButton>
    {client.confidential && (
      <ActionButton action={() => actions.giveSecret(client)} label={`Give ${client.name} a new secret`}>
        New secret…
      </ActionButton>
    )}
    <span class="final">
      <ActionButton action={() => actions.removeClient(client)} label={`Remove ${client.name}`}>
        Remove…
      </ActionButton>
    </span>
  </span>
);

/** What gets tokens here, besides persons with their password? */
export const ClientsPage = ({ query: { page } }: { readonly query: Readonly<Record<string, string>> }) => {
  const reading = useRead<Collection<Client>>(withQuery('v1/ops/clients', { page, limit: 20 }), { every: EVERY });
  return (
    <Page
      title="Clients"
      lead="An OAuth client is an application that signs in the accounts of its tenant, or a program that gets tokens for itself."
    >
      <OutsideIssuerNote />
      <div class="head-row">
        <OfTenant what="Clients" />
        <ActionButton action={actions.addClient}>Add a client…</ActionButton>
      </div>
      <Read reading={reading}>
        {({ data, pagination }) => (
          <>
            {data.length === 0 ? (
              <p>There are no clients yet.</p>
            ) : (
              <Table
                caption="Clients, newest first"
                isCaptionHidden
                rows={data}
                keyOf={({ id }) => id}
                more={Terms}
                columns={[
                  { head: 'Name', isHead: true, cell: ({ name }) => name },
                  { head: 'Client id', cell: ({ id }) => <code>{id}</code> },
                  { head: 'Kind', cell: kindWords },
                  { head: 'Created', cell: ({ createdAt }) => <Since at={createdAt} /> },
                  { head: 'Actions', cell: (client) => <Acts client={client} /> },
                ]}
              />
            )}
            <Pager pagination={pagination} page="clients" query={{}} label="Pages of clients" />
          </>
        )}
      </Read>
      <p class="quiet">The clients of this page and of the API reference are built in, and not listed.</p>
    </Page>
  );
};
