import { useEffect } from 'preact/hooks';
import { eventWords } from '../event-words.js';
import { countWords } from '../size-words.js';
import type { Copies, Report as Content, Statement } from '../verification.js';
import { completenessWords, scopeWords } from './scope.js';
import { utcWords } from '../time-words.js';
import { Table } from './table.js';

declare const PROGRAM_VERSION: string;

type Props = {
  /** The name of the export file, or of its two files. */
  readonly file: string;
  readonly statement: Statement;
  readonly content: Content;
  readonly copies: Copies | null;
  readonly compared: number;
  readonly verifiedAt: string;
};

const comparedWords = (copies: Copies | null, compared: number): string => {
  if (copies === null) return 'nothing, because no copies of checkpoints were at hand';
  const kept = `a copy of ${countWords(copies.checkpoints, 'checkpoint')}`;
  return compared === 0
    ? `nothing, because ${kept} has none of this export`
    : `${countWords(compared, 'checkpoint')} of this export, with ${kept}`;
};

/** What a whole export contains, and what proves it, as a document for people. */
export const Report = ({ file, statement, content: { events, counts }, copies, compared, verifiedAt }: Props) => {
  // Printing then leaves out everything else.
  useEffect(() => {
    document.documentElement.classList.add('has-report');
    return () => document.documentElement.classList.remove('has-report');
  }, []);
  const { from, to, cover, count } = statement;
  return (
    <section class="report" aria-labelledby="report">
      <div class="head-row">
        <h2 id="report">Verified events {scopeWords(statement)}</h2>
        <button type="button" class="screen-only" onClick={() => print()}>
          Print or save as PDF
        </button>
      </div>
      <p class="report-range">
        From {from === null ? 'the first event' : utcWords(from)} to {to === null ? `checkpoint ${cover.index}` : utcWords(to)}.{' '}
        {countWords(count, 'event')}. {completenessWords(statement)}
      </p>
      <h3>Proof</h3>
      <dl class="facts proof">
        <dt>File</dt>
        <dd>
          <code>{file}</code>
        </dd>
        <dt>Store</dt>
        <dd>
          <code>{statement.store}</code>
        </dd>
        <dt>Checkpoint</dt>
        <dd>
          {cover.index}, of {utcWords(cover.time)}, over the first {countWords(cover.size, 'event')} of the log
        </dd>
        <dt>Root of the hashes</dt>
        <dd>
          <code>{cover.root}</code>
        </dd>
        <dt>Signed with the key</dt>
        <dd>
          <code>{statement.keyId}</code>
        </dd>
        <dt>Digest of the events</dt>
        <dd>
          <code>{statement.digest}</code> (SHA-256)
        </dd>
        <dt>Compared</dt>
        <dd>{comparedWords(copies, compared)}</dd>
        <dt>Verified</dt>
        <dd>
          {utcWords(verifiedAt)}, by Pet Store {PROGRAM_VERSION}
        </dd>
      </dl>
      <p class="quiet">
        Actors are shown by their ids, because names of people are not in an export, and personal values are encrypted in it. The whole
        events are in the file, whose digest is above.
      </p>
      {count > events.length && (
        <>
          <h3>Who did what</h3>
          <Table
            caption={`All ${countWords(count, 'event')}, by who has caused them`}
            rows={counts}
            keyOf={({ actor, type }) => `${actor} ${type}`}
            columns={[
              { head: 'Who', isHead: true, cell: ({ actor }) => actor },
              { head: 'What happened', cell: ({ type }) => eventWords(type) },
              { head: 'Events', isNumber: true, cell: (row) => row.count.toLocaleString('en') },
            ]}
          />
        </>
      )}
      <h3>{count > events.length ? `The first ${countWords(events.length, 'event')}` : 'Events'}</h3>
      {events.length === 0 ? (
        <p>The range has no events, and it is proven that none is missing.</p>
      ) : (
        <Table
          caption="Events in the order of the log"
          isCaptionHidden
          kind="report-events"
          rows={events}
          keyOf={({ number }) => String(number)}
          columns={[
            { head: 'Number', isNumber: true, cell: ({ number }) => number },
            { head: 'Time (UTC)', cell: ({ time }) => <time dateTime={time}>{time.replace('T', ' ').replace(/Z$/, '')}</time> },
            { head: 'Who', cell: ({ actor }) => actor },
            { head: 'What happened', isHead: true, cell: ({ type }) => eventWords(type) },
            { head: 'Stream', cell: ({ stream }) => <code>{stream}</code> },
            { head: 'Revision', isNumber: true, cell: ({ revision }) => revision },
          ]}
        />
      )}
    </section>
  );
};
