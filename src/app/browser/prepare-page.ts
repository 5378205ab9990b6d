import { keepTranslatedTexts } from './translated-texts.ts'
import { readAutofill } from './type-into.ts'

/** Before anything is drawn: what browsers do to a page behind React's back is made good. */
export function preparePage(): void {
  readAutofill()
  keepTranslatedTexts()
}
