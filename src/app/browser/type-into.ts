/** Sets the value as if it was typed: React ignores a value set through its own setter. */
export function typeInto(input: HTMLInputElement, text: string): void {
  const { set } = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value') ?? {}
  set?.call(input, text)
  input.dispatchEvent(new Event('input', { bubbles: true }))
}

/** Kinds of fields whose value nobody types. */
const untyped = ['radio', 'checkbox', 'file']

/**
 * Some browsers and password managers fill a form in without an event. Before any form is submitted its fields are read anew;
 * React ignores those that it knows already.
 */
export function readAutofill(): void {
  addEventListener(
    'submit',
    ({ target }) => target instanceof HTMLFormElement && reread(target),
    true,
  )
}

function reread(form: HTMLFormElement) {
  const filled = [...form.elements].flatMap((field) =>
    field instanceof HTMLInputElement && !untyped.includes(field.type)
      ? [{ field, text: field.value }]
      : [],
  )
  // Reads all fields first, because React then empties those it does not know of.
  for (const { field, text } of filled) typeInto(field, text)
}
