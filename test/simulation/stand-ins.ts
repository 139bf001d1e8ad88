import type { Egress } from '../../libs/ports/egress.port.js';
import { EgressFailed } from '../../libs/ports/egress.port.js';
import type { ImageProcessor } from '../../libs/ports/image-processor.port.js';
import type { PasswordHasher } from '../../libs/ports/password-hasher.port.js';
import type { SigningKeys } from '../../libs/ports/signing-keys.port.js';
import type { Tokenizer } from '../../libs/ports/chat/tokenizer.port.js';
import type { Process } from './process.js';
import type { Random } from './random.js';
import type { Story } from './story.js';
import type { Timeline } from './timeline.js';

/** A request that reached a receiver of webhooks or callbacks. */
export type Received = { readonly url: string; readonly id: string; readonly body: string; readonly status: number };

/** The receivers of webhooks and callbacks. */
export class Receivers {
  readonly received: Received[] = [];
  /** The probability that a receiver fails. */
  failures = 0;

  constructor(
    private readonly timeline: Timeline,
    private readonly random: Random,
    private readonly story: Story,
  ) {}

  egressOf(process: Process): Egress {
    const { timeline, random, story } = this;
    return {
      validateUrl: () => null,
      post: ({ url, headers, body }) =>
        new Promise((resolve, reject) => {
          timeline.after(1 + random.number() * 20, () => {
            const status = random.chance(this.failures) ? 500 : 204;
            const id = headers['webhook-id'] ?? headers['callback-id'] ?? '';
            this.received.push({ url, id, body, status });
            story.add(process.name, `post ${id} to ${url}: ${status}`);
            timeline.after(1 + random.number() * 20, () =>
              process.receive(() => {
                if (random.chance(this.failures)) reject(new EgressFailed('timed_out', 'no answer came'));
                else resolve({ status, headers: {}, body: '' });
              }),
            );
          });
        }),
    };
  }
}

const notSimulated = (name: string) => (): never => {
  throw new Error(`${name} is not simulated`);
};

/** Argon2 runs in threads, whose order no seed decides. */
export const passwords: PasswordHasher = {
  hash: async (password) => `hash of ${password}`,
  verify: async (password, hash) => (hash === `hash of ${password}` ? 'correct' : 'wrong'),
};

/** WebCrypto and jose, which sign tokens, run in threads. No command of a simulated client uses these keys. */
export const signingKeys: SigningKeys = {
  list: () => [],
  published: notSimulated('the set of signing keys'),
  rotate: notSimulated('the rotation of signing keys'),
  remove: notSimulated('the removal of signing keys'),
  reload: () => Promise.resolve(),
  onChange: () => () => undefined,
};

export const images: ImageProcessor = { normalize: notSimulated('an image'), rendition: notSimulated('an image') };
export const tokenizer: Tokenizer = { count: notSimulated('a chat'), cut: notSimulated('a chat') };
