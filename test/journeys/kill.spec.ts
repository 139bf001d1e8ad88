import { killJourney } from './kill.journey.js';

killJourney(5, 20_260_102);
