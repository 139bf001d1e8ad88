import { createIds } from '../../libs/adapters/system/index.js';
import { idsContract } from './ids.contract.js';

idsContract('the system', (clock) => createIds(clock));
