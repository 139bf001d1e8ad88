import { copyJourney } from './copy.journey.js';

copyJourney(300);
