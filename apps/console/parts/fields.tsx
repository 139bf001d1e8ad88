import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';

/** The id of a field. One dialog is open at a time, so the name tells fields apart. */
const idOf = (name: string): string => `field-${name}`;

type FieldProps = {
  readonly name: string;
  readonly label: string;
  readonly help?: ComponentChildren;
  readonly isRequired?: boolean;
  readonly maxLength?: number;
};

type FrameProps = Omit<FieldProps, 'maxLength'> & { readonly children: ComponentChildren };

const Frame = ({ name, label, help, isRequired, children }: FrameProps) => (
  <div class="field">
    <label for={idOf(name)}>
      {label}
      {isRequired === true ? '' : ' (optional)'}
    </label>
    {children}
    {help !== undefined && (
      <p id={`${idOf(name)}-help`} class="quiet">
        {help}
      </p>
    )}
  </div>
);

const describedBy = ({ name, help }: FieldProps): string | undefined => (help === undefined ? undefined : `${idOf(name)}-help`);

/** A line of text. `mode` chooses the keyboard of a phone: what is valid is for the service to decide. */
export const TextField = ({ mode, ...field }: FieldProps & { readonly mode?: 'email' | 'tel' }) => (
  <Frame {...field}>
    <input
      id={idOf(field.name)}
      name={field.name}
      required={field.isRequired}
      maxLength={field.maxLength}
      inputmode={mode}
      autocomplete="off"
      spellcheck={false}
      aria-describedby={describedBy(field)}
    />
  </Frame>
);

type LinesProps = FieldProps & { readonly lines?: readonly string[]; readonly placeholder?: string };

/** Texts of which each has a line. */
export const LinesField = ({ lines = [], placeholder, ...field }: LinesProps) => (
  <Frame {...field}>
    <textarea
      id={idOf(field.name)}
      name={field.name}
      rows={Math.max(2, lines.length + 1)}
      defaultValue={lines.join('\n')}
      required={field.isRequired}
      placeholder={placeholder}
      autocomplete="off"
      spellcheck={false}
      aria-describedby={describedBy(field)}
    />
  </Frame>
);

/** A new password, which a button shows, so that it need not be typed twice. */
export const NewPasswordField = ({ name, label, help }: Pick<FieldProps, 'name' | 'label' | 'help'>) => {
  const [isShown, setShown] = useState(false);
  return (
    <Frame name={name} label={label} isRequired help={help}>
      <span class="with-button">
        <input
          id={idOf(name)}
          name={name}
          {...(isShown ? ({ type: 'text' } as const) : ({ type: 'password' } as const))}
          required
          minLength={8}
          maxLength={128}
          autocomplete="new-password"
          spellcheck={false}
          aria-describedby={describedBy({ name, label, help })}
        />
        <button type="button" aria-pressed={isShown} aria-label="Show the password" onClick={() => setShown(!isShown)}>
          {isShown ? 'Hide' : 'Show'}
        </button>
      </span>
    </Frame>
  );
};

type ChoiceProps = {
  readonly name: string;
  readonly label: ComponentChildren;
  /** What the choice means. */
  readonly help?: ComponentChildren;
  readonly type?: 'checkbox' | 'radio';
  readonly value?: string;
  readonly isChosen?: boolean;
  readonly isDisabled?: boolean;
  readonly onChoose?: () => void;
};

/** Something to choose, with what it means below it. */
export const Choice = ({ name, label, help, type = 'checkbox', value = 'on', isChosen, isDisabled, onChoose }: ChoiceProps) => (
  <label class="choice">
    <input type={type} name={name} value={value} defaultChecked={isChosen} disabled={isDisabled} onChange={onChoose} />
    <span>
      {label}
      {help !== undefined && <span class="quiet">{help}</span>}
    </span>
  </label>
);

type ChoicesProps = { readonly legend: string; readonly children: ComponentChildren; readonly areMany?: boolean };

/** Choices that belong together: many of them in two columns, where there is room. */
export const Choices = ({ legend, children, areMany = false }: ChoicesProps) => (
  <fieldset class={areMany ? 'field many' : 'field'}>
    <legend>{legend}</legend>
    {children}
  </fieldset>
);
