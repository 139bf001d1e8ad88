/** Bodies of requests, from what was typed into the fields of an action. The service validates them. */
type Body = Readonly<Record<string, unknown>>;

const textIn = (form: FormData, name: string): string => {
  const value = form.get(name);
  return typeof value === 'string' ? value : '';
};

/** Returns the members that have a text. */
const givenTexts = (form: FormData, names: readonly string[]): Body =>
  Object.fromEntries(
    names.flatMap((name) => {
      const text = textIn(form, name).trim();
      return text === '' ? [] : [[name, text]];
    }),
  );

const linesIn = (form: FormData, name: string): readonly string[] =>
  textIn(form, name)
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean);

/** Returns the body with a password. Spaces belong to a password, as every character does (contract 30.3). */
export const passwordBody = (form: FormData): Body => ({ password: textIn(form, 'password') });

/** Returns the body of a new account. Fields without a text are absent. */
export const newAccountBody = (form: FormData): Body => ({
  ...givenTexts(form, ['username', 'email', 'firstName', 'lastName', 'phone']),
  ...passwordBody(form),
  ...(form.has('staff') && { staff: true }),
});

/** What a client is for: it signs people in, or gets tokens for itself (contract 32.9). */
export type ClientKind = 'people' | 'program';

/** Returns the body that changes a client: only what clients of its kind have. */
export const clientChangesBody = (form: FormData, kind: ClientKind): Body =>
  kind === 'program'
    ? { scopes: form.getAll('scopes') }
    : { redirectUris: linesIn(form, 'redirectUris'), postLogoutRedirectUris: linesIn(form, 'postLogoutRedirectUris') };

/** Returns the body of a new client, whose kind the form has. */
export const newClientBody = (form: FormData): Body => ({
  ...givenTexts(form, ['name']),
  ...(form.get('kind') === 'program'
    ? { program: true, ...clientChangesBody(form, 'program') }
    : { device: form.has('device'), confidential: form.has('confidential'), ...clientChangesBody(form, 'people') }),
});
