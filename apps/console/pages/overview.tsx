import { mayAudit } from '../access.js';
import { liveStatus, samples as samplesStore, serviceState } from '../live.js';
import { session } from '../session.js';
import { Findings } from '../parts/findings.js';
import { Funnel } from '../parts/funnel.js';
import { Integrity } from '../parts/integrity.js';
import { LoadCharts } from '../parts/load-charts.js';
import { Page } from '../parts/page.js';
import { Processes, Servers } from '../parts/processes.js';
import { Since } from '../parts/time.js';
import { useStore } from '../store.js';

/** Is everything well? If not, what is wrong, since when, and what helps? */
export const OverviewPage = () => {
  const state = useStore(serviceState);
  const samples = useStore(samplesStore);
  const { claims } = useStore(session);
  const isLive = useStore(liveStatus) === 'live';
  return (
    <Page title="Overview" lead="What is wrong, since when and what helps; where orders are; how the service performs.">
      {state === null ? (
        <p class="quiet">Waiting for the first report of the service…</p>
      ) : (
        <>
          {!isLive && (
            <p class="quiet">
              As of <Since at={state.at} />, because the connection is away.
            </p>
          )}
          <Findings state={state} canAudit={claims !== null && mayAudit(claims)} />
          <Funnel state={state} />
        </>
      )}
      <LoadCharts samples={samples} processes={state?.processes ?? []} />
      {state !== null && (
        <>
          <Integrity health={state.health} />
          <Servers processes={state.processes} />
          <Processes processes={state.processes} samples={samples} />
        </>
      )}
    </Page>
  );
};
