import type { KeyboardEvent, ReactNode } from 'react'
import { useSearchParams } from 'react-router-dom'

const names = { login: 'Login', signup: 'Sign Up' } as const
type Name = keyof typeof names

/** The two tabs of the auth page; arrow keys move between them, as the pattern for tabs has it. */
export function AuthTabs(panels: Record<Name, ReactNode>) {
  const [search, setSearch] = useSearchParams()
  const shown: Name = search.get('tab') === 'signup' ? 'signup' : 'login'
  const show = (tab: Name) => {
    const next = new URLSearchParams(search)
    next.set('tab', tab)
    setSearch(next, { replace: true })
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'ArrowLeft' && event.key !== 'ArrowRight') return
    const next: Name = shown === 'login' ? 'signup' : 'login'
    show(next)
    document.getElementById(`tab-${next}`)?.focus()
  }
  return (
    <div className="card grid gap-5 sm:p-6">
      <div
        role="tablist"
        aria-label="Login or sign up"
        className="grid grid-cols-2 gap-1 rounded-control bg-line p-1"
      >
        {(Object.keys(names) as Name[]).map((name) => (
          <button
            key={name}
            id={`tab-${name}`}
            type="button"
            role="tab"
            aria-selected={shown === name}
            aria-controls="auth-panel"
            tabIndex={shown === name ? 0 : -1}
            onKeyDown={onKeyDown}
            onClick={() => show(name)}
            className="min-h-12 rounded-[11px] font-semibold text-soft aria-selected:bg-card aria-selected:text-ink aria-selected:shadow-lift"
          >
            {names[name]}
          </button>
        ))}
      </div>
      <div id="auth-panel" role="tabpanel" aria-labelledby={`tab-${shown}`}>
        {panels[shown]}
      </div>
    </div>
  )
}
