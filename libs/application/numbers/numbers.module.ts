import { Module } from '@nestjs/common';
import { Numbers } from './numbers.js';

/** Provides one instance of Numbers for the whole process, because pets, orders and users share the reserved blocks. */
@Module({ providers: [Numbers], exports: [Numbers] })
export class NumbersModule {}
