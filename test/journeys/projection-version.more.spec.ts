import { projectionVersionJourney } from './projection-version.journey.js';

projectionVersionJourney({ pets: 20_000, mustOverlap: true });
