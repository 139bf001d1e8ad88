import { createHash } from 'node:crypto';
import { CommandBus } from '@nestjs/cqrs';
import { project } from '../projections/pets.projection.js';
export const handler = [CommandBus, createHash, project];
