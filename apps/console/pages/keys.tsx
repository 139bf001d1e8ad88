import { fieldWords } from '../event-words.js';
import { ActionButton } from '../parts/action.js';
import { removeKey, rotateCheckpointKey, rotateTokenKey } from '../parts/key-actions.js';
import { Page } from '../parts/page.js';
import { Read } from '../parts/problem.js';
import { State } from '../parts/state.js';
import { Table, type Column } from '../parts/table.js';
import { Since } from '../parts/time.js';
import type { Collection, ServiceKey } from '../shapes.js';
import { SHARED } from '../tenant.js';
import { useRead } from '../use-read.js';

const EVERY = 10_000;
const TOKENS = 'token-signing';
const CHECKPOINTS = 'checkpoint-signing';

/** What each other key is for. A newer service may have keys that this page does not know. */
const PURPOSES: Readonly<Record<string, string>> = {
  'audit-cursor': 'encrypts cursors of lists of events',
  'callback-signing': 'signs order callbacks',
  'card-fingerprint': 'makes digests of card numbers',
  idempotency: 'makes digests of idempotency keys and their requests',
  'manage-tokens': 'makes digests of the tokens of applications',
  'oauth-clients': 'derives the secrets of clients',
  'oauth-cookies': 'signs the cookies of the pages for signing in',
  'oauth-storage': 'encrypts codes, grants and refresh tokens',
  snapshots: 'makes digests of snapshots of long streams',
  'user-names': 'makes digests of usernames and email addresses',
  'webhook-secrets': 'derives the secrets of webhook endpoints',
};

const Id = ({ id }: ServiceKey) => <code>{id}</code>;
const Status = ({ status }: ServiceKey) => <State tone={status === 'current' ? 'good' : 'plain'}>{status}</State>;
const Created = ({ createdAt }: ServiceKey) => (createdAt === undefined ? <span class="quiet">unknown</span> : <Since at={createdAt} />);
const SignsFrom = ({ activatesAt, createdAt }: ServiceKey) => {
  const from = activatesAt ?? createdAt;
  return from === undefined ? <span class="quiet">unknown</span> : <Since at={from} />;
};

/** Only a key for tokens that does not sign can be removed (contract 31.5). */
const Removal = (key: ServiceKey) =>
  key.status === 'current' ? (
    <span class="quiet">–</span>
  ) : (
    <span class="final">
      <ActionButton action={() => removeKey(key)} label={`Remove the key ${key.id}`}>
        Remove…
      </ActionButton>
    </span>
  );

const ID: Column<ServiceKey> = { head: 'Key id', isHead: true, cell: Id };
const STATUS: Column<ServiceKey> = { head: 'Status', cell: Status };
const CREATED: Column<ServiceKey> = { head: 'Created', cell: Created };

const Keys = ({ keys }: { readonly keys: readonly ServiceKey[] }) => {
  const tokens = keys.filter(({ kind }) => kind === TOKENS);
  const checkpoints = keys.filter(({ kind }) => kind === CHECKPOINTS);
  const others = keys.filter(({ kind }) => kind !== TOKENS && kind !== CHECKPOINTS);
  const keyOf = ({ id }: ServiceKey): string => id;
  return (
    <>
      <section aria-labelledby="tokens">
        <div class="head-row">
          <h2 id="tokens">Keys for tokens</h2>
          <ActionButton action={() => rotateTokenKey(tokens)}>Rotate the key for tokens…</ActionButton>
        </div>
        <p class="quiet">One signs access tokens and ID tokens. A former one only verifies what it signed, until it is removed.</p>
        <Table
          caption="Keys for tokens, newest first"
          isCaptionHidden
          rows={tokens}
          keyOf={keyOf}
          columns={[ID, STATUS, CREATED, { head: 'Signs from', cell: SignsFrom }, { head: 'Action', cell: Removal }]}
        />
      </section>
      <section aria-labelledby="checkpoints">
        <div class="head-row">
          <h2 id="checkpoints">Keys for checkpoints</h2>
          <ActionButton action={rotateCheckpointKey}>Rotate the key for checkpoints…</ActionButton>
        </div>
        <p class="quiet">One signs checkpoints of the log. The former ones verify what they signed, and are never removed.</p>
        <Table
          caption="Keys for checkpoints, newest first"
          isCaptionHidden
          rows={checkpoints}
          keyOf={keyOf}
          columns={[ID, STATUS, CREATED]}
        />
      </section>
      <section aria-labelledby="others">
        <h2 id="others">Other keys</h2>
        <p class="quiet">They are not rotated. Backups have them.</p>
        {others.length === 0 ? (
          <p>None has been needed yet.</p>
        ) : (
          <Table
            caption="Other keys, by name"
            isCaptionHidden
            rows={others}
            keyOf={keyOf}
            columns={[
              { head: 'Name', isHead: true, cell: Id },
              { head: 'What it does', cell: ({ kind }) => PURPOSES[kind] ?? fieldWords(kind) },
              CREATED,
            ]}
          />
        )}
      </section>
    </>
  );
};

/** Which keys does the service have, and which of them sign? */
export const KeysPage = () => {
  // Keys are of the whole store: a tenant changes nothing about them. No service has a hundred.
  const reading = useRead<Collection<ServiceKey>>('v1/ops/keys?limit=100', { every: EVERY, tenant: SHARED });
  return (
    <Page title="Keys" lead="The keys of the service, without their secrets. They are of no tenant.">
      <Read reading={reading}>{({ data }) => <Keys keys={data} />}</Read>
    </Page>
  );
};
