import { Module } from '@nestjs/common';
import { RecordSecurityEventHandler } from './record-security-event.js';

/** The command handler of security events. */
@Module({ providers: [RecordSecurityEventHandler] })
export class SecurityHandlersModule {}
