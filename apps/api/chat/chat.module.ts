import { Module, type OnApplicationBootstrap } from '@nestjs/common';
import { advise } from '../../../libs/advisor/advise.js';
import { fastPathOf } from '../http/validation/fast-path.js';
import { OpenaiController } from '../openai/openai.controller.js';
import { ChatController } from './chat.controller.js';
import { ChatRequest } from './chat.dto.js';

/** Serves the chat with the pet advisor, also in the shapes of OpenAI (contract 41.9). */
@Module({ controllers: [ChatController, OpenaiController] })
export class ChatModule implements OnApplicationBootstrap {
  /**
   * Compiles the validation and the patterns of the advisor before the service listens. The first chat would delay all other
   * requests by that time.
   */
  async onApplicationBootstrap(): Promise<void> {
    fastPathOf(ChatRequest)(undefined);
    const messages = [{ role: 'USER', content: 'Do you have a small calm dog for kids, or a cat?' }] as const;
    await advise(
      { messages, model: 'PET_ADVISOR_1', temperature: 0, seed: 0 },
      { available: async () => ({ pets: [], total: 0 }), named: async () => [] },
    );
  }
}
