import { hrefOf } from '../routes.js';
import type { ServiceState } from '../shapes.js';
import { samples as samplesStore } from '../live.js';
import { recentAttempts } from '../samples.js';
import { useStore } from '../store.js';
import { findingsOf, unknownParts, type Finding } from '../verdict.js';
import { Remedy } from './command.js';
import { State } from './state.js';
import { Since } from './time.js';

type RowProps = { readonly finding: Finding; readonly canAudit: boolean };

const Row = ({ finding: { severity, text, since, helps, page, query }, canAudit }: RowProps) => (
  <li class={severity}>
    <State tone={severity}>{severity === 'wrong' ? 'Wrong' : 'Note'}</State>
    <p>
      <strong>{text}</strong>{' '}
      {since !== undefined && (
        <span class="quiet">
          since <Since at={since} />
        </span>
      )}
    </p>
    <p class="helps">
      <Remedy text={helps} />{' '}
      {page !== undefined && (page !== 'audit' || canAudit) && (
        <a href={hrefOf(page, undefined, query)}>
          Show<span class="unseen">: {text}</span>
        </a>
      )}
    </p>
  </li>
);

const quietWords = (state: ServiceState): string => {
  const { stuck, parked, health } = state;
  const audit = health?.audit.state;
  const idle = stuck !== null && parked !== null ? 'Nothing is stuck or parked' : 'Nothing is known to be wrong';
  return `${idle}${audit === 'whole' ? ', and the log is whole' : ''}.`;
};

/** The verdict: what is wrong, since when and what helps. Or that nothing is. */
export const Findings = ({ state, canAudit }: { readonly state: ServiceState; readonly canAudit: boolean }) => {
  const samples = useStore(samplesStore);
  const findings = findingsOf(state, recentAttempts(samples));
  const wrong = findings.filter(({ severity }) => severity === 'wrong').length;
  const unknown = unknownParts(state);
  return (
    <section aria-labelledby="verdict" class={`verdict ${wrong > 0 ? 'wrong' : findings.length > 0 ? 'warning' : 'good'}`}>
      {/* Only the sentence is announced, and only when it changes. */}
      <div role="status">
        <h2 id="verdict">{wrong > 0 ? `${wrong} ${wrong === 1 ? 'thing needs' : 'things need'} attention` : quietWords(state)}</h2>
      </div>
      {unknown.length > 0 && <p class="quiet">Unknown at the moment: {unknown.join(', ')}. A server that holds it may be away.</p>}
      {findings.length > 0 && (
        <ul class="findings">
          {findings.map((finding) => (
            <Row key={finding.text} finding={finding} canAudit={canAudit} />
          ))}
        </ul>
      )}
    </section>
  );
};
