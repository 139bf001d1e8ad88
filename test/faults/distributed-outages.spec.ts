import { outagesJourney } from '../journeys/distributed/outages.journey.js';

await outagesJourney('a service with one server down for 30 s', 30_000);
