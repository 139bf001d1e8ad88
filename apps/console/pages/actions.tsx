import { sentActions } from '../acting.js';
import { Outcome } from '../parts/action.js';
import { Page } from '../parts/page.js';
import { Since } from '../parts/time.js';
import { useStore } from '../store.js';

/** What has become of what I did here? */
export const ActionsPage = () => {
  const sent = useStore(sentActions);
  return (
    <Page
      title="Actions"
      lead="What this page has sent since you signed in, and what has become of it. An action without an answer is asked for again with the same key, so that nothing is done twice. The list ends with the page: the log keeps the events."
    >
      {sent.length === 0 ? (
        <p class="quiet">This page has sent no action yet.</p>
      ) : (
        <ul class="cards-list">
          {sent.map((one) => (
            <li key={one.id} class="card">
              <p class="card-head">
                <strong>{one.action.title}</strong>
                <Since at={new Date(one.at).toISOString()} />
              </p>
              <Outcome sent={one} />
            </li>
          ))}
        </ul>
      )}
    </Page>
  );
};
