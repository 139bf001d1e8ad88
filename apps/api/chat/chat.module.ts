import { Module } from '@nestjs/common';
import { OpenaiController } from '../openai/openai.controller.js';
import { ChatController } from './chat.controller.js';

/** Serves the chat with the pet advisor, also in the shapes of OpenAI (contract 41.9). */
@Module({ controllers: [ChatController, OpenaiController] })
export class ChatModule {}
