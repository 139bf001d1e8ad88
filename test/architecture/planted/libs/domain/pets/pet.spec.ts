import { it } from '@jest/globals';
import { seen } from '../../eventsourcing/testing/specification.js';
import type { PetEvent } from './pet.events.js';
it('is a legal import', () => seen({ type: 'PetListed', id: '1' } satisfies PetEvent));
