import type { Action } from '../acting.js';
import { withQuery } from '../api.js';
import { mayAudit } from '../access.js';
import { hrefOf } from '../routes.js';
import { session } from '../session.js';
import type { ServiceKey } from '../shapes.js';
import { SHARED } from '../tenant.js';
import { Choice, Choices } from './fields.js';
import { Since, Time } from './time.js';

/** The service takes the reasons of these actions in a header. */
const REASON = { in: 'header' } as const;

const rotationPath = (kind: string, isNow: boolean): string => withQuery('v1/ops/keys/rotation', { kind, now: isNow ? 'true' : undefined });

const keyOf = (answer: unknown) => {
  const { id, activatesAt, status } = answer as ServiceKey;
  return (
    <p>
      The new key is <code>{id}</code>.{' '}
      {status === 'announced' && activatesAt !== undefined ? (
        <>
          It signs from <Since at={activatesAt} /> on.
        </>
      ) : (
        'It signs now.'
      )}
    </p>
  );
};

/** Creates a key for tokens (contract 31.2). */
const createTokenKey: Action = {
  title: 'Rotate the key for tokens',
  verb: 'Rotate',
  does: 'Creates a key, which signs all tokens instead of the present one. The present one then only verifies.',
  stops: 'Nothing: tokens of the former keys stay valid until they expire. To end them too, remove their key afterwards.',
  undo: 'The new key can be removed as long as it is only announced. After that it cannot be undone, but you can rotate again.',
  reason: REASON,
  fields: (
    <Choices legend="When the new key signs">
      <Choice
        name="when"
        type="radio"
        value="announced"
        label="In 10 minutes"
        help="It is published at once. Other services keep the published keys for up to 5 minutes, so all of them know the key before it signs."
        isChosen
      />
      <Choice
        name="when"
        type="radio"
        value="now"
        label="Now"
        help="If somebody else may know the present key. Other services that keep the published keys may reject new tokens for up to 5 minutes."
      />
    </Choices>
  ),
  requestOf: (form) => ({ method: 'POST', path: rotationPath('token-signing', form.get('when') === 'now'), tenant: SHARED }),
  answerOf: keyOf,
};

/** Lets an announced key sign before its time. */
const activateTokenKey = ({ id, activatesAt }: ServiceKey): Action => ({
  title: 'Let the announced key sign now',
  verb: 'Let it sign now',
  does: (
    <>
      <code>{id}</code> signs all tokens from now on
      {activatesAt !== undefined && (
        <>
          , instead of from <Time at={activatesAt} /> on
        </>
      )}
      . Other services that keep the published keys may reject new tokens for up to 5 minutes after its announcement.
    </>
  ),
  stops: 'Nothing: tokens of the former keys stay valid until they expire. To end them too, remove their key afterwards.',
  undo: 'It cannot be undone, but you can rotate again.',
  isFinal: true,
  reason: REASON,
  requestOf: () => ({ method: 'POST', path: rotationPath('token-signing', true), tenant: SHARED }),
  answerOf: keyOf,
});

/** Rotates the key for tokens. While a key is announced, the service announces no other. */
export const rotateTokenKey = (keys: readonly ServiceKey[]): Action => {
  const announced = keys.find(({ status }) => status === 'announced');
  return announced === undefined ? createTokenKey : activateTokenKey(announced);
};

const PublicKeys = () => {
  const { claims } = session.get();
  return claims !== null && mayAudit(claims) ? (
    <a href={hrefOf('audit')}>The page Audit</a>
  ) : (
    <>
      <code>/v1/audit/public-keys</code>
    </>
  );
};

/** Rotates the key for checkpoints (contract 35.3). */
export const rotateCheckpointKey = (): Action => ({
  title: 'Rotate the key for checkpoints',
  verb: 'Rotate',
  does: 'Creates a key, which signs checkpoints of the log from now on, in every process. Former keys verify what they signed.',
  stops: (
    <>
      Auditors who keep a copy of the public keys cannot verify new checkpoints until they have the new one. Tell them: <PublicKeys /> has
      it.
    </>
  ),
  undo: 'It cannot be undone: a key for checkpoints is never removed, and a former one does not sign again. You can rotate again.',
  isFinal: true,
  reason: REASON,
  requestOf: () => ({ method: 'POST', path: rotationPath('checkpoint-signing', false), tenant: SHARED }),
  answerOf: (answer) => (
    <>
      {keyOf(answer)}
      <p>Give auditors a copy of the public keys now.</p>
    </>
  ),
});

/** Removes a key for tokens that does not sign (contract 31.5). */
export const removeKey = ({ id, status }: ServiceKey): Action => ({
  title: status === 'announced' ? 'Remove the announced key' : 'Remove a former key',
  verb: 'Remove',
  does: (
    <>
      Removes <code>{id}</code>, in every process within a second.{' '}
      {status === 'announced' ? 'The present key goes on signing.' : 'Do so if somebody else may know it.'}
    </>
  ),
  stops:
    status === 'announced'
      ? 'Nothing: it has not signed yet.'
      : 'All tokens that it signed become invalid, yours too if it is one of them. Sessions and refresh tokens stay: their clients get new tokens.',
  undo: 'It cannot be undone: the key is destroyed.',
  isFinal: true,
  reason: REASON,
  requestOf: () => ({ method: 'DELETE', path: `v1/ops/keys/${encodeURIComponent(id)}`, tenant: SHARED }),
  isGoneAfter: true,
});
