import { outagesJourney } from '../journeys/distributed/outages.journey.js';

/** "Each dependency down for 30 s" */
await outagesJourney('a store one of whose servers is down for half a minute', 30_000, 240_000);
