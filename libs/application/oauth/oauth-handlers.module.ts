import { Module } from '@nestjs/common';
import { AddClientHandler, GetClientHandler, ListClientsHandler, RemoveClientHandler } from './client.handlers.js';

/** The command and query handlers of the authorization server's clients. */
@Module({ providers: [AddClientHandler, RemoveClientHandler, GetClientHandler, ListClientsHandler] })
export class OAuthHandlersModule {}
