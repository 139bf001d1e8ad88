import { Module } from '@nestjs/common';
import { Numbers } from './numbers.js';

/** Provides one instance of Numbers for the whole process, because pets and orders share the reserved blocks. */
@Module({ providers: [Numbers], exports: [Numbers] })
export class NumbersModule {}
