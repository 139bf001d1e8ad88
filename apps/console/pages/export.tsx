import { useEffect, useRef, useState } from 'preact/hooks';
import { mayAudit, mayOperate, type Claims } from '../access.js';
import { problemOf, readJson } from '../api.js';
import type { Arrived } from '../export-lines.js';
import { ConnectionLost, fetchedExport, fetchExport, type FetchedExport } from '../fetched-export.js';
import { Command } from '../parts/command.js';
import { fieldText } from '../parts/field-text.js';
import { Page } from '../parts/page.js';
import { ProblemNote } from '../parts/problem.js';
import { scopeWords } from '../parts/scope.js';
import { utcWords } from '../time-words.js';
import { hrefOf } from '../routes.js';
import { session } from '../session.js';
import type { BegunExport, Problem } from '../shapes.js';
import { countWords, sizeWords } from '../size-words.js';
import { useStore } from '../store.js';

const NOTHING: Arrived = { bytes: 0, lines: 0, number: null, isComplete: false };

/** Returns a time that was typed as UTC; undefined if none was. */
const utcTime = (text: string): string | undefined => (text === '' ? undefined : new Date(`${text}Z`).toISOString());

/** Returns the body of a request from the fields that were filled in. */
const scopeIn = (form: HTMLFormElement): object => {
  const only = fieldText(form, 'only');
  const [from, to] = [utcTime(fieldText(form, 'from')), utcTime(fieldText(form, 'to'))];
  return { ...(from !== undefined && { from }), ...(to !== undefined && { to }), ...(only !== '' && { [fieldText(form, 'kind')]: only }) };
};

type FormProps = { readonly isPlanning: boolean; readonly onPlan: (scope: object) => void; readonly onChange: () => void };

const ScopeForm = ({ isPlanning, onPlan, onChange }: FormProps) => {
  const [kind, setKind] = useState('tenant');
  return (
    <form
      class="filter"
      aria-label="What to export"
      onInput={onChange}
      onSubmit={(event) => {
        event.preventDefault();
        onPlan(scopeIn(event.currentTarget));
      }}
    >
      <label>
        From (UTC)
        <input name="from" type="datetime-local" step="1" />
      </label>
      <label>
        To (UTC, not included)
        <input name="to" type="datetime-local" step="1" />
      </label>
      <label>
        Only events of
        <select name="kind" value={kind} onChange={({ currentTarget: { value } }) => setKind(value)}>
          <option value="tenant">a tenant</option>
          <option value="stream">a stream</option>
        </select>
      </label>
      <label>
        {kind === 'tenant' ? 'Its id, or shared' : 'Its name'}
        <input
          name="only"
          placeholder={kind === 'tenant' ? 'all tenants' : 'order-0190a6b3-…'}
          required={kind === 'stream'}
          autocomplete="off"
          spellcheck={false}
        />
      </label>
      <div class="tools">
        <button type="submit" disabled={isPlanning}>
          {isPlanning ? 'Planning…' : 'Plan it'}
        </button>
      </div>
      <p class="quiet">
        Without a time an export begins with the first event, and ends with the last one. If no checkpoint covers the end, the service signs
        one first.
      </p>
    </form>
  );
};

type ProgressProps = { readonly begun: BegunExport; readonly arrived: Arrived; readonly onCancel: () => void };

const Progress = ({ begun: { events, cover }, arrived: { number, lines, bytes }, onCancel }: ProgressProps) => {
  const base = cover.size - events;
  const share = number === null || events === 0 ? 0 : (number - base) / events;
  return (
    <div class="progress-row">
      <progress aria-label="The part of the log that was read" max={1} value={share} />
      <span>{Math.floor(share * 100)} % of the log read</span>
      <span>{countWords(lines, 'line')}</span>
      <span>{sizeWords(bytes)}</span>
      <button type="button" onClick={onCancel}>
        Cancel
      </button>
    </div>
  );
};

/** An export that has arrived: it can be saved, and verified. */
const Fetched = ({ fetched: { name, file } }: { readonly fetched: FetchedExport }) => {
  const [url, setUrl] = useState('');
  useEffect(() => {
    const created = URL.createObjectURL(file);
    setUrl(created);
    return () => URL.revokeObjectURL(created);
  }, [file]);
  return (
    <section class="card fetched" aria-labelledby="fetched">
      <h2 id="fetched">The export is here</h2>
      <p role="status">
        <code>{name}</code>, {sizeWords(file.size)}. Only this page has it: save it before you close it.
      </p>
      <p class="tools">
        <a class="button primary" href={url} download={name}>
          Save
        </a>
        <a class="button" href={hrefOf('audit', 'verify')}>
          Verify this export now
        </a>
      </p>
      <p class="quiet">
        Its digest and signature prove nothing to somebody who takes the keys from the same place. Verify it with copies that were kept
        elsewhere: on <a href={hrefOf('audit', 'verify')}>the next page</a>, or with{' '}
        <Command text={`petstore audit verify ${name} --key keys.json`} />
      </p>
    </section>
  );
};

type Fetching =
  | { readonly kind: 'idle' }
  | { readonly kind: 'running' | 'lost'; readonly arrived: Arrived }
  | { readonly kind: 'refused'; readonly problem: Problem };

/** Fetches an export, whose plan says how much is read. */
const Fetch = ({ begun, isFetched }: { readonly begun: BegunExport; readonly isFetched: boolean }) => {
  const [fetching, setFetching] = useState<Fetching>({ kind: 'idle' });
  const running = useRef<AbortController | null>(null);
  useEffect(() => () => running.current?.abort(), []);
  const begin = async (): Promise<void> => {
    const abort = (running.current = new AbortController());
    fetchedExport.set(null);
    let arrived = NOTHING;
    setFetching({ kind: 'running', arrived });
    const onProgress = (now: Arrived): void => setFetching({ kind: 'running', arrived: (arrived = now) });
    try {
      fetchedExport.set(await fetchExport(begun, { signal: abort.signal, onProgress }));
      setFetching({ kind: 'idle' });
    } catch (error) {
      if (abort.signal.aborted) setFetching({ kind: 'idle' });
      else setFetching(error instanceof ConnectionLost ? { kind: 'lost', arrived } : { kind: 'refused', problem: problemOf(error) });
    }
  };
  return (
    <section class="card" aria-labelledby="plan">
      <h2 id="plan">The plan</h2>
      <dl class="facts">
        <dt>Events</dt>
        <dd>{scopeWords(begun)}</dd>
        <dt>Range</dt>
        <dd>
          from {begun.from === null ? 'the first event' : utcWords(begun.from)} to{' '}
          {begun.to === null ? `checkpoint ${begun.cover.index}` : utcWords(begun.to)}
        </dd>
        <dt>Is read</dt>
        <dd>{countWords(begun.events, 'event')} of the log. The export has at most so many lines.</dd>
        <dt>Ends at</dt>
        <dd>
          checkpoint {begun.cover.index} of {utcWords(begun.cover.time)}, which covers {countWords(begun.cover.size, 'event')}
        </dd>
      </dl>
      {fetching.kind === 'lost' && (
        <div class="note warning" role="alert">
          <strong>The connection was lost</strong>
          <p>
            {countWords(fetching.arrived.lines, 'line')} had arrived, which are worth nothing without the manifest at the end. Begin again:
            the export has the same id, and the same bytes. If it ends at the same place again, an event there may be altered: see what the
            audits of the service have found, and verify the log with the command.
          </p>
        </div>
      )}
      {fetching.kind === 'refused' && <ProblemNote problem={fetching.problem} />}
      {fetching.kind === 'running' ? (
        <Progress begun={begun} arrived={fetching.arrived} onCancel={() => running.current?.abort()} />
      ) : (
        <button type="button" class={isFetched ? undefined : 'primary'} onClick={() => void begin()}>
          {fetching.kind === 'idle' && !isFetched ? 'Begin' : 'Begin again'}
        </button>
      )}
    </section>
  );
};

const NotPermitted = ({ claims }: { readonly claims: Claims | null }) => (
  <p class="note warning">
    An export has the numbers of events in the whole log. It needs a token with the scopes <code>audit:read</code> and <code>ops</code>
    {claims?.tenant === undefined ? '.' : ', which is bound to no tenant.'} Somebody who has one can send you the file, and you verify it{' '}
    <a href={hrefOf('audit', 'verify')}>here</a>.
  </p>
);

/** Takes a range of the log along, with its proof. */
export const ExportPage = () => {
  const { claims } = useStore(session);
  const fetched = useStore(fetchedExport);
  const [begun, setBegun] = useState<BegunExport | null>(null);
  const [problem, setProblem] = useState<Problem | null>(null);
  const [isPlanning, setPlanning] = useState(false);
  const plan = async (scope: object): Promise<void> => {
    setPlanning(true);
    setProblem(null);
    try {
      setBegun(await readJson<BegunExport>('v1/audit/exports', { body: scope }));
      // What was fetched is of another plan.
      fetchedExport.set(null);
    } catch (error) {
      setBegun(null);
      setProblem(problemOf(error));
    }
    setPlanning(false);
  };
  return (
    <Page
      title="Export events"
      lead="An export has the events of a range, as they are stored, and a signed proof. Whoever keeps the public keys can verify it without the service, years later."
    >
      <p>
        <a href={hrefOf('audit')}>Audit</a>
      </p>
      {claims !== null && mayAudit(claims) && mayOperate(claims) ? (
        <>
          <ScopeForm isPlanning={isPlanning} onPlan={(scope) => void plan(scope)} onChange={() => setBegun(null)} />
          {problem !== null && (
            <ProblemNote problem={problem}>
              {problem.errors?.map(({ field, message }) => (
                <p key={field}>
                  {field}: {message}
                </p>
              ))}
            </ProblemNote>
          )}
          {begun !== null && <Fetch key={begun.id} begun={begun} isFetched={fetched !== null} />}
          {fetched !== null && <Fetched fetched={fetched} />}
        </>
      ) : (
        <NotPermitted claims={claims} />
      )}
    </Page>
  );
};
