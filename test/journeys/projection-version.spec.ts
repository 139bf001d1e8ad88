import { projectionVersionJourney } from './projection-version.journey.js';

projectionVersionJourney({ pets: 2_000, mustOverlap: false });
