import { mayOperate } from '../access.js';
import { readAllCheckpoints } from '../all-checkpoints.js';
import { readJson, withQuery } from '../api.js';
import { integrity } from '../live.js';
import { Command } from '../parts/command.js';
import { Integrity } from '../parts/integrity.js';
import { Page } from '../parts/page.js';
import { Pager } from '../parts/pager.js';
import { Read } from '../parts/problem.js';
import { SaveButton } from '../parts/save-button.js';
import { Table } from '../parts/table.js';
import { Time } from '../parts/time.js';
import { placeOf } from '../place.js';
import { hrefOf } from '../routes.js';
import { session } from '../session.js';
import type { CheckpointPage, PublicKeys, StoreHealth } from '../shapes.js';
import { useStore } from '../store.js';
import { useRead } from '../use-read.js';

const LIMIT = 20;
/** Reading the health leaves no event in the log, so it can be repeated. */
const EVERY = 10_000;

/** Returns what `petstore audit key` prints. */
const keysText = async (): Promise<string> => `${JSON.stringify(await readJson<PublicKeys>('v1/audit/public-keys'))}\n`;

/** Returns what `petstore audit checkpoints` prints. */
const checkpointsText = async (): Promise<string> => (await readAllCheckpoints()).map((signed) => `${JSON.stringify(signed)}\n`).join('');

const Checkpoints = ({ page }: { readonly page: string | undefined }) => {
  const first = useRead<CheckpointPage>(withQuery('v1/audit/checkpoints', { page: page ?? 1, limit: LIMIT }));
  // The service lists the oldest first. Without a page, the newest are shown.
  const last = first.data?.pagination.totalPages ?? 1;
  const isMore = page === undefined && last > 1;
  const newest = useRead<CheckpointPage>(isMore ? withQuery('v1/audit/checkpoints', { page: last, limit: LIMIT }) : null);
  return (
    <Read reading={isMore ? newest : first}>
      {({ data, pagination }) =>
        data.length === 0 ? (
          <p class="quiet">There is no checkpoint yet. The service makes one regularly while events are recorded.</p>
        ) : (
          <>
            <Table
              caption="Checkpoints, newest first"
              isCaptionHidden
              rows={data.toReversed()}
              keyOf={({ checkpoint: { index } }) => String(index)}
              columns={[
                { head: 'Number', isHead: true, isNumber: true, cell: ({ checkpoint: { index } }) => index },
                { head: 'Made', cell: ({ checkpoint: { time } }) => <Time at={time} /> },
                { head: 'Covers', isNumber: true, cell: ({ checkpoint: { size } }) => `${size.toLocaleString('en')} events` },
                { head: 'Root of the hashes', cell: ({ checkpoint: { root } }) => <code>{root}</code> },
                {
                  head: 'Signed with',
                  cell: ({ checkpoint: { keyId } }) => (
                    <code title={keyId} class="nowrap">
                      {keyId.slice(0, 8)}…
                    </code>
                  ),
                },
              ]}
            />
            <Pager pagination={pagination} page="audit" query={{}} label="Pages of checkpoints" />
          </>
        )
      }
    </Read>
  );
};

const Keys = () => {
  const reading = useRead<PublicKeys>('v1/audit/public-keys');
  return (
    <Read reading={reading}>
      {({ keys }) => (
        <Table
          caption="Public keys, newest first"
          isCaptionHidden
          rows={keys}
          keyOf={({ kid }) => kid}
          columns={[
            { head: 'Key id', isHead: true, cell: ({ kid }) => <code>{kid}</code> },
            { head: 'Public key (Ed25519, base64url)', cell: ({ x }) => <code>{x}</code> },
          ]}
        />
      )}
    </Read>
  );
};

const Health = () => {
  const reading = useRead<StoreHealth>('v1/ops/health', { every: EVERY });
  return <Read reading={reading}>{(health) => <Integrity health={health} />}</Read>;
};

/** Auditors get it by the live stream, if their token is of no tenant: the log is that of all of them. */
const HealthForAuditors = () => {
  const audit = useStore(integrity);
  if (audit !== null) return <Integrity health={{ audit, brokenStreamCount: 0, brokenStreams: [] }} />;
  return <p>What the audits of the service have found is shown for a token that is bound to no tenant.</p>;
};

/** Is the log whole, and how can one prove it? */
export const AuditPage = ({ page }: { readonly page: string | undefined }) => {
  const { claims } = useStore(session);
  const isOperator = claims !== null && mayOperate(claims);
  const { root } = placeOf();
  return (
    <Page
      title="Audit"
      lead="Each event is chained to the one before it by a hash, and checkpoints sign what the log contained at a time. An auditor who keeps a copy of the keys and checkpoints can prove that no event was altered, removed or inserted since."
    >
      {isOperator ? <Health /> : <HealthForAuditors />}
      <section aria-labelledby="verify">
        <h2 id="verify">Verify it yourself</h2>
        <p>You need not believe the service: verify the log with copies that its operators cannot change.</p>
        <p class="tools">
          <a class="button primary" href={hrefOf('audit', 'verify')}>
            Verify it yourself here
          </a>
          <a class="button" href={hrefOf('audit', 'export')}>
            Export events
          </a>
        </p>
        <h3>With commands</h3>
        <ol class="how">
          <li>
            <p>Once: keep a copy of the public keys where the operators cannot change it.</p>
            <Command text="petstore audit key > keys.json" />
          </li>
          <li>
            <p>Regularly: keep a copy of the checkpoints in the same place.</p>
            <Command text="petstore audit checkpoints > checkpoints.ndjson" />
          </li>
          <li>
            <p>Later: verify the log against both copies. The command ends with 0 if the log is whole, and with 3 if it was altered.</p>
            <Command text="petstore audit verify --key keys.json --against checkpoints.ndjson" />
          </li>
          <li>
            <p>Or take an export of a range along, and verify it without the log, on a machine of your own.</p>
            <Command text="petstore audit export --out EXPORT --from 2026-11-01 --to 2026-12-01" />{' '}
            <Command text="petstore audit verify EXPORT --key keys.json" />
          </li>
        </ol>
        <p>
          <a href={`${root}docs/guides/audit`}>The guide for auditors</a> describes every byte, for a program of your own.
        </p>
      </section>
      <section aria-labelledby="checkpoints">
        <h2 id="checkpoints">Checkpoints</h2>
        <p class="quiet">
          Each states how many events the log had at a time, and one hash of them all. It is signed, and names the checkpoint before it.
        </p>
        <SaveButton label="Save the checkpoints" name="checkpoints.ndjson" read={checkpointsText} />
        <Checkpoints page={page} />
      </section>
      <section aria-labelledby="keys">
        <h2 id="keys">Public keys</h2>
        <p class="quiet">They verify the signatures of checkpoints. Compare them with your copy.</p>
        <SaveButton label="Save the public keys" name="keys.json" read={keysText} />
        <Keys />
      </section>
    </Page>
  );
};
