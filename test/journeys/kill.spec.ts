import { killJourney } from './kill.journey.js';

killJourney(2, 20_260_102);
