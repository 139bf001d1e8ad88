import { outagesJourney } from './outages.journey.js';

await outagesJourney('a store one of whose servers is down for a while', 5_000, 120_000);
