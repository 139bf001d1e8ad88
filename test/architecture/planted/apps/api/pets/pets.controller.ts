import { Controller } from '@nestjs/common';
import { handler } from '../../../libs/application/pets.handler.js';
export const pets = [Controller, handler];
