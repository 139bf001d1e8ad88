import { createHmac } from 'node:crypto';
import { SHARED_POOL } from '../../eventsourcing/message.js';
import type { Collection, Documents } from '../../eventsourcing/ports/documents.port.js';
import type { Ids } from '../../eventsourcing/ports/ids.port.js';
import type { KeyVault } from '../../eventsourcing/ports/key-vault.port.js';
import type { TokenClaims, TokenVerifier } from '../../ports/access-token.port.js';
import { StateStore } from '../state/state-store.js';

/** The tokens of applications (contract 36.7). The key of an entry is the keyed digest of its token, which is not stored. */
export const MANAGE_TOKENS: Collection = {
  name: 'manage_tokens',
  version: 1,
  fields: { adoptionId: 'text' },
  indexes: [['adoptionId']],
  cells: [],
};

/** The application that a token is for. `tenant` may be SHARED_POOL. */
type ManagedApplication = { readonly adoptionId: string; readonly tenant: string };

/** All tokens begin with this text. No access token does, because a JWT begins with `ey`. */
const PREFIX = 'manage_';

/** Issues and finds the tokens with which applicants manage their applications. They stay valid until the application is erased. */
export class ManageTokens {
  private readonly store: StateStore<ManagedApplication>;

  constructor(
    documents: Documents,
    private readonly keys: Pick<KeyVault, 'serviceKey'>,
  ) {
    this.store = new StateStore(documents, MANAGE_TOKENS);
  }

  /** Returns a new token of an application. Earlier tokens of the application stay valid. */
  async issue(application: ManagedApplication, ids: Ids): Promise<string> {
    const token = PREFIX + (await this.digest('token', ids.next()));
    await this.store.put(
      { key: await this.digest('stored', token), value: application, fields: { adoptionId: application.adoptionId } },
      'none',
    );
    return token;
  }

  /** Returns the claims of a token of an application, or null for any other text. */
  async find(token: string): Promise<TokenClaims | null> {
    const found = await this.store.get(await this.digest('stored', token));
    if (!found) return null;
    const { adoptionId, tenant } = found.value;
    return { subject: `adoption:${adoptionId}`, scopes: new Set(), adoptionId, ...(tenant !== SHARED_POOL && { tenant }) };
  }

  /** Ends all tokens of an application. A repeated call does nothing. */
  async forget(adoptionId: string): Promise<void> {
    await this.store.deleteWhere({ adoptionId });
  }

  private async digest(kind: string, text: string): Promise<string> {
    const key = await this.keys.serviceKey('manage-tokens');
    return createHmac('sha256', key).update(`${kind}\n${text}`).digest('base64url');
  }
}

/** Returns a verifier that also accepts the tokens of applications. */
export const acceptManageTokens = (verifier: TokenVerifier, tokens: Pick<ManageTokens, 'find'>): TokenVerifier => ({
  verify: (token) => (token.startsWith(PREFIX) ? tokens.find(token) : verifier.verify(token)),
});
