import { copyJourney } from './copy.journey.js';

copyJourney(2_000);
