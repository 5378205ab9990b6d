import { keepTranslatedTexts } from './translated-texts.ts'
import { readAutofill } from './type-into.ts'

/** What browsers do to a page behind React's back, made good before anything is drawn. */
export function preparePage(): void {
  readAutofill()
  keepTranslatedTexts()
}
