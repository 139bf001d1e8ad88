/** The program of a thread that hashes passwords. Its answer is a new hash, or whether a password is correct. */
import { hashSync, verifySync, type Options } from '@node-rs/argon2';
import { answerQuestions } from '../../threads/answer-questions.js';

/** A password to verify with a stored hash, or a password and the parameters of its new hash. */
export type HashCall = { readonly password: string; readonly stored: string } | { readonly password: string; readonly parameters: Options };

answerQuestions<HashCall>({
  answer: (call) => ('stored' in call ? verifySync(call.stored, call.password) : hashSync(call.password, call.parameters)),
  close: () => undefined,
});
