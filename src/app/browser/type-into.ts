/** As if it was typed: React hears of a value only where it was set past its own setter. */
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
  // Read before the first one is told to React, which then empties what it does not know of.
  for (const { field, text } of filled) typeInto(field, text)
}
