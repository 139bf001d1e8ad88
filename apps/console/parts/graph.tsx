import { causesOf, type Cause } from '../causes.js';
import { eventWords, hasStory } from '../event-words.js';
import type { Consequence } from '../shapes.js';
import { DataLine, EventChanges } from './changes.js';
import { ActorLink, StreamLink } from './links.js';
import { State, toneOf } from './state.js';
import { Time } from './time.js';

const MessageLine = ({ message }: { readonly message: Consequence['message'] }) =>
  message === null ? (
    <p class="quiet">Not published: it is not meant for other programs.</p>
  ) : (
    <p>
      Published to the topic <code>{message['topic']}</code> as <code>{message['type']}</code>, number {message['sequence']}.
    </p>
  );

const Deliveries = ({ deliveries }: Pick<Consequence, 'deliveries'>) =>
  deliveries.length === 0 ? (
    <p class="quiet">No deliveries.</p>
  ) : (
    <ul class="plain">
      {deliveries.map(({ id, eventType, webhookId, orderId, status, attempts }) => (
        <li key={id}>
          <State tone={toneOf(status)}>{status}</State> delivery of <code>{eventType}</code>{' '}
          {webhookId !== undefined && (
            <>
              to the webhook endpoint <StreamLink stream={`webhook-${webhookId}`} />
            </>
          )}
          {orderId !== undefined && <>to the callback of the order</>}, {attempts} {attempts === 1 ? 'attempt' : 'attempts'}
        </li>
      ))}
    </ul>
  );

const Node = ({ cause: { event, effects }, began }: { readonly cause: Cause<Consequence>; readonly began: number }) => (
  <li>
    <article class="event">
      <header>
        <strong>{eventWords(event.type)}</strong> <StreamLink stream={event.stream} tenant={event.tenant} />
        <span class="quiet">
          {' '}
          <Time at={event.time} /> (after {Math.max(0, Date.parse(event.time) - began)} ms) by{' '}
          <ActorLink actor={event.actor} actorName={event.actorName} />
        </span>
      </header>
      {!hasStory(event.stream) ? (
        <DataLine data={event.data} />
      ) : (
        event.changes !== undefined && <EventChanges changes={event.changes} caption={`What ${eventWords(event.type)} changed`} />
      )}
      <MessageLine message={event.message} />
      <Deliveries deliveries={event.deliveries} />
    </article>
    {effects.length > 0 && (
      <>
        <span class="unseen">It caused:</span>
        <Nodes causes={effects} began={began} />
      </>
    )}
  </li>
);

const Nodes = ({ causes, began }: { readonly causes: readonly Cause<Consequence>[]; readonly began: number }) => (
  <ol class="causes">
    {causes.map((cause) => (
      <Node key={cause.event.id} cause={cause} began={began} />
    ))}
  </ol>
);

/** What a request caused, as a tree: a nested list whose lines are drawn by the stylesheet. */
export const Graph = ({ events }: { readonly events: readonly Consequence[] }) => (
  <Nodes causes={causesOf(events)} began={Math.min(...events.map(({ time }) => Date.parse(time)))} />
);
