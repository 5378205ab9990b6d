import { useEffect, useState } from 'react'
import { chooseTheme, chosenTheme, onThemeChosen, type Theme } from '../../browser/theme.ts'
import { Choice } from './choice.tsx'

const themes: [Theme, string][] = [
  ['light', 'Light'],
  ['dark', 'Dark'],
  ['auto', 'Auto'],
]

/** Light or dark on this device. */
export function ThemeChoice() {
  const [theme, setTheme] = useState(chosenTheme)
  useEffect(() => onThemeChosen(() => setTheme(chosenTheme())), [])
  const choose = (next: Theme) => {
    chooseTheme(next)
    setTheme(next)
  }
  return (
    <section className="card grid gap-3" aria-labelledby="theme">
      <h2 id="theme">Light or dark</h2>
      <Choice
        legend="Light or dark"
        name="theme"
        value={theme}
        choices={themes}
        onChange={choose}
      />
      <p className="text-sm text-soft">Auto follows the setting of your phone.</p>
    </section>
  )
}
