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

/** Returns the body with a password. Spaces belong to a password, as every character does (contract 30.3). */
export const passwordBody = (form: FormData): Body => ({ password: textIn(form, 'password') });

/** Returns the body of a new account. Fields without a text are absent. */
export const newAccountBody = (form: FormData): Body => ({
  ...givenTexts(form, ['username', 'email', 'firstName', 'lastName', 'phone']),
  ...passwordBody(form),
  ...(form.has('staff') && { staff: true }),
});
