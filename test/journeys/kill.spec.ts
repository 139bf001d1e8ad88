import { killJourney } from './kill.journey.js';

killJourney({ rounds: 2, seed: 20_260_102, mustInterrupt: false });
