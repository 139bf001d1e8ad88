import type { ComponentChildren } from 'preact';
import { countWords } from '../size-words.js';
import type { CheckpointsResult, Copies, ExportResult, Fault, Result } from '../verification.js';
import { completenessWords, scopeWords, utcWords } from './scope.js';
import { Table } from './table.js';

const FaultTable = ({ faults, faultCount }: { readonly faults: readonly Fault[]; readonly faultCount: number }) =>
  faults.length === 0 ? null : (
    <Table
      caption={faultCount > faults.length ? `The first ${faults.length} of ${countWords(faultCount, 'fault')}` : 'Faults'}
      isCaptionHidden={faultCount <= faults.length}
      rows={faults}
      keyOf={(_, index) => String(index)}
      columns={[
        { head: 'Place', isHead: true, cell: ({ place }) => place },
        { head: 'What is wrong', cell: ({ reason }) => reason },
      ]}
    />
  );

/** Says how much the copies have proven. Without them a verification proves less than somebody may expect. */
const Compared = ({ copies, compared, of }: { readonly copies: Copies | null; readonly compared: number; readonly of: string }) => {
  if (copies !== null && compared > 0)
    return (
      <p>
        Compared with your copies: {countWords(compared, 'checkpoint')}. Your file has {countWords(copies.lines, 'line')} with{' '}
        {countWords(copies.checkpoints, 'checkpoint')}
        {copies.unreadable > 0 && `, and ${countWords(copies.unreadable, 'line')} that cannot be read`}.
      </p>
    );
  return (
    <div class="note warning">
      <strong>Nothing was compared</strong>
      <p>
        {copies === null
          ? 'You have chosen no copies of checkpoints. '
          : `No checkpoint of ${of} is among the ${copies.checkpoints.toLocaleString('en')} of your file. `}
        The signatures are genuine, but whoever has the keys of the service could rewrite the log and sign it again. Only a checkpoint that
        was kept elsewhere finds that.
      </p>
    </div>
  );
};

/** Whether copies were chosen that cover nothing, so that the verification proves less than expected. */
const isNothingCompared = ({ copies, compared }: Result): boolean => copies !== null && compared === 0;

const toneOf = (result: Result): 'good' | 'warning' | 'wrong' => {
  if (result.faultCount > 0) return 'wrong';
  return isNothingCompared(result) ? 'warning' : 'good';
};

type VerdictProps = { readonly result: Result; readonly title: string; readonly children: ComponentChildren };

const Verdict = ({ result, title, children }: VerdictProps) => (
  <section class={`verdict ${toneOf(result)}`} aria-labelledby="result">
    <h2 id="result" tabIndex={-1}>
      {title}
    </h2>
    <div class="verdict-text">{children}</div>
  </section>
);

const exportTitle = ({ statement, faultCount }: ExportResult): string => {
  if (faultCount === 0) return 'The export is whole';
  return statement === null ? 'The export is not genuine' : `The export has ${countWords(faultCount, 'fault')}`;
};

const ExportVerdict = ({ result }: { readonly result: ExportResult }) => {
  const { statement, faults, faultCount, copies, compared } = result;
  return (
    <Verdict result={result} title={exportTitle(result)}>
      {faultCount > 0 && (
        <p>
          {statement === null && 'Without a genuine manifest nothing else can be verified. '}
          Keep the files as evidence, check that the keys are those of this service, and get the export again. There is no report of an
          export that is not whole.
        </p>
      )}
      <FaultTable faults={faults} faultCount={faultCount} />
      {statement !== null && faultCount === 0 && (
        <p>
          {countWords(statement.count, 'event')} {scopeWords(statement)}, from{' '}
          {statement.from === null ? 'the first event' : utcWords(statement.from)} to{' '}
          {statement.to === null ? `checkpoint ${statement.cover.index}` : utcWords(statement.to)}. {completenessWords(statement)}{' '}
          Checkpoint {statement.cover.index} of {utcWords(statement.cover.time)} covers it, and the key <code>{statement.keyId}</code> has
          signed it.
        </p>
      )}
      {(faultCount === 0 || compared > 0) && <Compared copies={copies} compared={compared} of="this export" />}
    </Verdict>
  );
};

const CheckpointsVerdict = ({ result }: { readonly result: CheckpointsResult }) => {
  const { faults, faultCount, count, last, copies, compared } = result;
  return (
    <Verdict
      result={result}
      title={faultCount === 0 ? 'The checkpoints are genuine' : `The checkpoints have ${countWords(faultCount, 'fault')}`}
    >
      <FaultTable faults={faults} faultCount={faultCount} />
      {faultCount === 0 && (
        <p>
          {countWords(count, 'checkpoint')}, each of which is signed with a key of your file and follows the one before.{' '}
          {last !== null &&
            `The last one is number ${last.index} of ${utcWords(last.time)}, over the first ${countWords(last.size, 'event')}.`}
        </p>
      )}
      {(faultCount === 0 || compared > 0) && <Compared copies={copies} compared={compared} of="this service" />}
      <p>This compares checkpoints only. Whether the log still matches them is verified with an export, or with the command.</p>
    </Verdict>
  );
};

/** What a verification has found. */
export const VerificationResult = ({ result }: { readonly result: Result }) =>
  result.kind === 'export' ? <ExportVerdict result={result} /> : <CheckpointsVerdict result={result} />;
