import type { ComponentChildren } from 'preact';
import { missingKeyWords } from '../missing-keys.js';
import { countWords } from '../size-words.js';
import type { CheckpointsResult, Copies, ExportResult, Fault, Result } from '../verification.js';
import { completenessWords, scopeWords } from './scope.js';
import { utcWords } from '../time-words.js';
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

type ComparedProps = {
  readonly copies: Copies | null;
  readonly compared: number;
  readonly of: string;
  /** The number of the checkpoint at the end of an export. */
  readonly cover?: number | undefined;
};

/** Says how much the copies have proven. Without them a verification proves less than somebody may expect. */
const Compared = ({ copies, compared, of, cover }: ComparedProps) => {
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
      {cover !== undefined && (
        <p>
          {copies === null
            ? `This export ends at checkpoint ${cover}. Choose a copy that has it, or keep a copy of checkpoint ${cover} from now on.`
            : `This export ends at checkpoint ${cover}, which your copy lacks. Export up to the time of your last copied checkpoint, or ` +
              `keep a copy of checkpoint ${cover} from now on.`}
        </p>
      )}
    </div>
  );
};

/** Whether copies were chosen that cover nothing, so that the verification proves less than expected. */
const isNothingCompared = ({ copies, compared }: Result): boolean => copies !== null && compared === 0;

const toneOf = (result: Result): 'good' | 'warning' | 'wrong' => {
  if (result.isOnlyMissingKeys) return 'warning';
  if (result.faultCount > 0) return 'wrong';
  return isNothingCompared(result) ? 'warning' : 'good';
};

/** A key that the copy lacks is no sign of forgery: the service may have rotated its key. */
const MissingKeys = ({ keys }: { readonly keys: readonly string[] }) => (
  <>
    {keys.map((key) => (
      <p class="note warning" key={key}>
        {missingKeyWords(key)}
      </p>
    ))}
  </>
);

type VerdictProps = { readonly result: Result; readonly title: string; readonly children: ComponentChildren };

const Verdict = ({ result, title, children }: VerdictProps) => (
  <section class={`verdict ${toneOf(result)}`} aria-labelledby="result">
    <h2 id="result" tabIndex={-1}>
      {title}
    </h2>
    <div class="verdict-text">{children}</div>
  </section>
);

const exportTitle = ({ statement, faultCount, isOnlyMissingKeys }: ExportResult): string => {
  if (faultCount === 0) return 'The export is whole';
  if (isOnlyMissingKeys) return 'The export cannot be verified with your keys';
  return statement === null ? 'The export is not genuine' : `The export has ${countWords(faultCount, 'fault')}`;
};

const ExportVerdict = ({ result, file }: { readonly result: ExportResult; readonly file: string }) => {
  const { statement, faults, faultCount, missingKeys, isOnlyMissingKeys, copies, compared } = result;
  return (
    <Verdict result={result} title={exportTitle(result)}>
      <p>
        <code>{file}</code>
      </p>
      <MissingKeys keys={missingKeys} />
      {faultCount > 0 && !isOnlyMissingKeys && (
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
      {(faultCount === 0 || compared > 0) && (
        <Compared copies={copies} compared={compared} of="this export" cover={statement?.cover.index} />
      )}
    </Verdict>
  );
};

const CheckpointsVerdict = ({ result }: { readonly result: CheckpointsResult }) => {
  const { faults, faultCount, missingKeys, isOnlyMissingKeys, count, last, copies, compared } = result;
  const faultTitle = isOnlyMissingKeys
    ? 'The checkpoints cannot all be verified with your keys'
    : `The checkpoints have ${countWords(faultCount, 'fault')}`;
  return (
    <Verdict result={result} title={faultCount === 0 ? 'The checkpoints are genuine' : faultTitle}>
      <MissingKeys keys={missingKeys} />
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

/** What a verification has found. `file` names the files of the export. */
export const VerificationResult = ({ result, file }: { readonly result: Result; readonly file: string }) =>
  result.kind === 'export' ? <ExportVerdict result={result} file={file} /> : <CheckpointsVerdict result={result} />;
