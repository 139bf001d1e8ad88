import { Module } from '@nestjs/common';
import { AddClientHandler, ChangeClientHandler, GetClientHandler, ListClientsHandler, RemoveClientHandler } from './client.handlers.js';
import { RotateClientSecretHandler } from './client-secrets.js';

/** The command and query handlers of the authorization server's clients. */
@Module({
  providers: [AddClientHandler, ChangeClientHandler, RotateClientSecretHandler, RemoveClientHandler, GetClientHandler, ListClientsHandler],
})
export class OAuthHandlersModule {}
