import { copyJourney } from './copy.journey.js';

copyJourney(10_000);
